import { type ReactNode, useMemo } from 'react'
import { kindSpec } from '#catalog/kinds.ts'
import type { DeliveryDetail, Finding } from '#contract/delivery.ts'
import { accountingRows, eventRows, type FieldRow, findingsUnder } from '@/shared/body/event-fields.ts'
import { isOpen, isReadWhole } from '@/shared/body/open-body.ts'
import { PartialNotice, type Whole } from '@/shared/body/use-whole.tsx'
import { cx } from '@/shared/components/cx.ts'
import { EmptyState } from '@/shared/components/empty-state.tsx'
import { FindingNotes, inkOf, VERDICT_OF, worstOf } from '@/shared/components/finding-note.tsx'
import { useMenuStops } from '@/shared/components/table.tsx'
import { VERDICT_SIGNS } from '@/shared/components/tag.tsx'
import { useTexts } from '@/shared/i18n/format.ts'
import { EventField, type EventFieldProps, HEADING, Undocumented, useDocumented } from './event-field.tsx'

export interface FieldsTabProps {
  readonly detail: DeliveryDetail
  readonly whole: Whole
  readonly onShow: (pointer: string) => void
}
interface EventTabProps extends FieldsTabProps {
  readonly onPart: (part: 'lines' | 'accounting') => void
}

/** Fields of the envelope and of `data` in the order of the catalogue, each with its findings. */
export function EventTab({ onPart, ...props }: EventTabProps) {
  const { detail, whole } = props
  const { t, language } = useTexts('detail')
  const { body } = whole
  const rows = useMemo(
    () => (isOpen(body) && body.event.root === 'object' ? eventRows(body.event, detail) : null),
    [body, detail],
  )
  if (!isOpen(body) || !rows) {
    const empty = isOpen(body) && body.total === 0
    return (
      <div className="h-full overflow-y-auto overscroll-contain">
        <FindingNotes className="px-14 pt-4" findings={detail.findingList} />
        <EmptyState title={t(empty ? 'event.emptyBody' : 'event.noEvent')}>
          {isOpen(body) ? t(empty ? 'event.emptyBodyText' : 'event.noEventText') : body.problem}
        </EmptyState>
      </div>
    )
  }
  const spec = detail.kind === null ? undefined : kindSpec(detail.kind)
  const ofRow = (row: FieldRow) => {
    const lines = row.name === 'Lines' && row.spec ? body.event.lines : null
    const accounting = row.name === 'Accounting' && row.spec ? body.event.accounting : null
    const part = lines ? 'lines' : accounting ? 'accounting' : null
    if (!part) return { row }
    const text = lines
      ? t('event.items', { count: lines.count })
      : t('event.fields', { count: accounting?.total ?? 0 })
    const findings = findingsUnder(detail.findingList, row.pointer).filter((f) => f.pointer !== row.pointer)
    return { row, summary: <PartLink {...{ text, findings }} onOpen={() => onPart(part)} /> }
  }
  const lead = spec
    ? t('event.emittedWhen', { when: spec.emittedWhen[language] })
    : detail.verdict === null
      ? t('checks.unjudged')
      : t(detail.event === null ? 'event.noName' : 'event.unknownKind')
  return (
    <Fields {...props} {...{ lead, ofRow, ...rows }} groups={[{ rows: [...rows.envelope, ...rows.data] }]} />
  )
}

/** The header's accounting fields, grouped by meaning, with digits as sent. */
export function AccountingTab(props: FieldsTabProps) {
  const { detail, whole } = props
  const { t, language } = useTexts('detail')
  const { body } = whole
  const rows = useMemo(() => (isOpen(body) ? accountingRows(body.event, detail) : null), [body, detail])
  if (!rows) return null
  const ofRow = (row: FieldRow) => ({
    row: { ...row, findings: row.member ? findingsUnder(detail.findingList, row.pointer) : row.findings },
  })
  const groups = rows.groups.map((group) => ({ heading: group.label[language], rows: group.rows }))
  return <Fields {...props} {...{ ...rows, ofRow, groups }} lead={t('accounting.lead')} />
}

interface FieldsProps extends FieldsTabProps {
  readonly lead: string
  readonly general: readonly Finding[]
  readonly groups: readonly { readonly heading?: string; readonly rows: readonly FieldRow[] }[]
  readonly unknown: readonly FieldRow[]
  readonly unlisted: number
  readonly ofRow: (row: FieldRow) => Pick<EventFieldProps, 'row' | 'summary'>
}

function Fields({ detail, whole, onShow, lead, general, groups, unknown, unlisted, ofRow }: FieldsProps) {
  const { t } = useTexts('detail')
  const { documented, toggle } = useDocumented()
  const { body } = whole
  const partial = isOpen(body) && !isReadWhole(body)
  const first = groups.flatMap((group) => group.rows).find(({ member }) => member)?.pointer ?? ''
  const { stopOf, onKeyDown } = useMenuStops(first)
  const field = (row: FieldRow): ReactNode => (
    <EventField
      key={row.pointer}
      stop={stopOf(row.pointer)}
      {...ofRow(row)}
      {...{ documented, onShow, partial }}
      drift={detail.drift}
    />
  )
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: shortcuts of the buttons inside; it is no control itself
    <div className="h-full overflow-y-auto overscroll-contain" onKeyDown={onKeyDown}>
      <PartialNotice whole={whole} />
      <div className="flex items-start justify-between gap-12 pt-8 pr-10 pb-2 pl-14">
        <p className="mt-3 text-fg-3 text-s leading-[1.4]">{lead}</p>
        {toggle}
      </div>
      <FindingNotes className="px-14 pt-4" findings={general} />
      {groups.map(({ heading, rows }) => (
        <section key={heading ?? ''}>
          {heading === undefined ? null : <h3 className={HEADING}>{heading}</h3>}
          <dl className="px-14 pb-8">{rows.map(field)}</dl>
        </section>
      ))}
      <Undocumented rows={unknown} field={field} explained />
      {unlisted > 0 ? (
        <p className="mx-14 mb-2 text-fg-3 text-xs leading-[1.4]">
          {t('event.unlisted', { count: unlisted })}
        </p>
      ) : null}
    </div>
  )
}

/** A link to the Lines or Accounting tab, with its number of entries and its worst finding. */
function PartLink(props: {
  readonly text: string
  readonly findings: readonly Finding[]
  readonly onOpen: () => void
}) {
  const { text, findings, onOpen } = props
  const { t } = useTexts('detail')
  const level = worstOf(findings)
  return (
    <button
      type="button"
      className={cx(
        'p-0 border-0 rounded-3 bg-transparent text-accent body-s text-left cursor-default',
        'hover:underline focus-visible:outline-offset-1',
      )}
      onClick={onOpen}
    >
      {text}
      {level ? (
        <span className={cx('ml-8', inkOf(level))}>
          <b aria-hidden="true">{VERDICT_SIGNS[VERDICT_OF[level]]}</b>{' '}
          {t('event.within', { count: findings.length })}
        </span>
      ) : null}
    </button>
  )
}

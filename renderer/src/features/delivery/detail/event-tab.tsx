import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { kindSpec } from '#catalog/kinds.ts'
import type { DeliveryDetail, Finding } from '#contract/delivery.ts'
import { type EventRows, eventRows, type FieldRow, findingsUnder } from '@/shared/body/event-fields.ts'
import { isOpen, isReadWhole } from '@/shared/body/open-body.ts'
import { PartialNotice } from '@/shared/body/partial-notice.tsx'
import type { Whole } from '@/shared/body/use-whole.ts'
import { cx } from '@/shared/components/cx.ts'
import { EmptyState } from '@/shared/components/empty-state.tsx'
import { FindingNote, VERDICT_OF, worstOf } from '@/shared/components/finding-note.tsx'
import { VERDICT_SIGNS } from '@/shared/components/tag.tsx'
import { useLanguage } from '@/shared/i18n/format.ts'
import { EventField, useDocumented } from './event-field.tsx'
import styles from './event-tab.module.css'

export interface EventTabProps {
  readonly detail: DeliveryDetail
  readonly whole: Whole
  readonly onShow: (pointer: string) => void
  /** Opens the tab of Lines or Accounting. */
  readonly onPart: (part: 'lines' | 'accounting') => void
}

/** The fields of the envelope and of `data` by the catalogue, with what the checks found beside each. */
export function EventTab({ detail, whole, onShow, onPart }: EventTabProps) {
  const { t } = useTranslation('detail')
  const language = useLanguage()
  const { documented, toggle } = useDocumented()
  const { body } = whole
  const rows = useMemo<EventRows | null>(
    () => (isOpen(body) && body.event.root === 'object' ? eventRows(body.event, detail) : null),
    [body, detail],
  )
  if (!isOpen(body) || !rows) {
    const empty = isOpen(body) && body.total === 0
    return (
      <div className="h-full overflow-y-auto overscroll-contain">
        <div className="px-14 pt-4">
          {detail.findingList.map((finding) => (
            <FindingNote key={`${finding.code}${finding.pointer}`} finding={finding} />
          ))}
        </div>
        <EmptyState title={t(empty ? 'event.emptyBody' : 'event.noEvent')}>
          {isOpen(body) ? t(empty ? 'event.emptyBodyText' : 'event.noEventText') : body.problem}
        </EmptyState>
      </div>
    )
  }
  const spec = detail.kind === null ? undefined : kindSpec(detail.kind)
  const field = (row: FieldRow) => {
    const lines = row.name === 'Lines' && row.spec ? body.event.lines : null
    const accounting = row.name === 'Accounting' && row.spec ? body.event.accounting : null
    const part = lines ? 'lines' : accounting ? 'accounting' : null
    const summary = part ? (
      <PartLink
        text={
          lines
            ? t('event.items', { count: lines.count })
            : t('event.fields', { count: accounting?.total ?? 0 })
        }
        findings={findingsUnder(detail.findingList, row.pointer).filter((f) => f.pointer !== row.pointer)}
        onOpen={() => onPart(part)}
      />
    ) : undefined
    return (
      <EventField
        key={row.pointer}
        {...{ row, documented, onShow }}
        drift={detail.drift}
        partial={!isReadWhole(body)}
        summary={summary}
      />
    )
  }
  return (
    <div className="h-full overflow-y-auto overscroll-contain">
      <PartialNotice whole={whole} />
      <div className={cx(styles.lead, 'flex items-start justify-between gap-12 pt-8 pr-10 pb-2 pl-14')}>
        <p>
          {spec
            ? t('event.emittedWhen', { when: spec.emittedWhen[language] })
            : t(detail.event === null ? 'event.noName' : 'event.unknownKind')}
        </p>
        {toggle}
      </div>
      {rows.general.length > 0 ? (
        <div className="px-14 pt-4">
          {rows.general.map((finding) => (
            <FindingNote
              key={`${finding.code}${finding.pointer}${finding.line}:${finding.column}`}
              finding={finding}
            />
          ))}
        </div>
      ) : null}
      <dl className="px-14 pb-8">
        {rows.envelope.map(field)}
        {rows.data.map(field)}
      </dl>
      {rows.unknown.length > 0 ? (
        <section>
          <h3 className={styles.heading}>{t('event.undocumented')}</h3>
          <p className="mx-14 mb-2 text-fg-3 text-xs leading-[1.4]">{t('event.undocumentedText')}</p>
          <dl className="px-14 pb-8">{rows.unknown.map(field)}</dl>
        </section>
      ) : null}
      {rows.unlisted > 0 ? (
        <p className="mx-14 mb-2 text-fg-3 text-xs leading-[1.4]">
          {t('event.unlisted', { count: rows.unlisted })}
        </p>
      ) : null}
    </div>
  )
}

/** Lines and Accounting have tabs of their own; here stands how much there is, and whether something was found in them. */
function PartLink(props: {
  readonly text: string
  readonly findings: readonly Finding[]
  readonly onOpen: () => void
}) {
  const { text, findings, onOpen } = props
  const { t } = useTranslation('detail')
  const level = worstOf(findings)
  return (
    <button
      type="button"
      className="p-0 border-0 rounded-3 bg-transparent text-accent body-s text-left cursor-default hover:underline focus-visible:outline-offset-1"
      onClick={onOpen}
    >
      {text}
      {level ? (
        <span className={cx('ml-8', styles[level])}>
          <b aria-hidden="true">{VERDICT_SIGNS[VERDICT_OF[level]]}</b>{' '}
          {t('event.within', { count: findings.length })}
        </span>
      ) : null}
    </button>
  )
}

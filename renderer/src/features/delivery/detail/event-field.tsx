import { BookOpen, CornerDownRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { STATUSES } from '#catalog/service.ts'
import type { DriftFact } from '#contract/drift.ts'
import { type ContextGroups, openMenu } from '@/shared/actions/context.ts'
import { onThis } from '@/shared/actions/made.ts'
import { alike, type FieldRow } from '@/shared/body/event-fields.ts'
import type { Member } from '@/shared/body/protocol.ts'
import { Captured, Code } from '@/shared/components/captured.tsx'
import { cx } from '@/shared/components/cx.ts'
import { FindingNotes, inkOf, VERDICT_OF, worstOf } from '@/shared/components/finding-note.tsx'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { MenuButton, type MenuButtonProps } from '@/shared/components/table.tsx'
import { Tag, VERDICT_SIGNS } from '@/shared/components/tag.tsx'
import { termOf, valueActions } from '@/shared/deliveries/value-actions.ts'
import { useTexts } from '@/shared/i18n/format.ts'
import { remember, remembered } from '@/shared/live/remembered.ts'
import { DriftNotes } from './checks-tab.tsx'

export const HEADING = 'flex items-baseline gap-6 mx-14 mt-10 mb-2 text-fg heading-s'
const NOTHING = 'text-fg-3 text-s'

/** Longer JSON is shown as a block. */
const INLINE = 40

/** A value as sent: quotes around strings, the digits of numbers, lists and objects as their JSON. */
function FieldValue({ member, most = 400 }: { readonly member: Member; readonly most?: number }) {
  const { t } = useTexts('detail')
  const more = member.clipped || member.text.length > most
  const text = member.text.slice(0, most) + (more ? '…' : '')
  if (member.type === 'string') {
    return (
      <span className="text-inherit">
        <span className="text-fg-3 font-code text-s">"</span>
        <Captured text={text} mono most={most + 1} />
        {more ? null : <span className="text-fg-3 font-code text-s">"</span>}
      </span>
    )
  }
  if ((member.type === 'object' || member.type === 'array') && text.length > INLINE) {
    return <Code text={text} wrap {...(more ? {} : { copyLabel: t('event.copyJson') })} />
  }
  const dim = member.type === 'literal' && member.text === 'null'
  return (
    <span className={dim ? NOTHING : 'text-inherit'}>
      <Captured text={text} mono most={most + 1} />
    </span>
  )
}

export interface EventFieldProps {
  readonly row: FieldRow
  readonly documented: boolean
  /** Replaces the value, for example a count of lines. */
  readonly summary?: ReactNode | undefined
  /** Only the beginning of the body is loaded: absent fields may follow. */
  readonly partial?: boolean
  readonly drift?: readonly DriftFact[]
  /** Props of the button that opens the field's menu; without them there is no button. */
  readonly stop?: Omit<MenuButtonProps, 'name'>
  readonly onShow: (pointer: string) => void
}

function fieldMenu({ member, pointer }: FieldRow, onShow: (pointer: string) => void): ContextGroups {
  if (!member) return [valueActions({ pointer })]
  const text = member.clipped ? undefined : member.text
  return [
    valueActions({ text, pointer, term: termOf(pointer, member) }),
    [onThis('raw', 'on.raw', () => onShow(pointer))],
  ]
}

/** Findings that the style of an absent or undocumented field expresses; others are listed below the field. */
const TOLD_BY_LOOK = new Set(['field-absent', 'field-not-documented', 'envelope-extra'])

export function EventField({
  row,
  documented,
  summary,
  partial = false,
  drift = [],
  stop,
  onShow,
}: EventFieldProps) {
  const { t, language } = useTexts('detail')
  const { spec, member, findings } = row
  const label = spec?.label[language]
  // The specification gives only the name of most fields: a line under each saying so would hide the useful ones.
  const said = spec ? spec.documentation?.[language] : t('event.notDocumented')
  const level = worstOf(findings)
  const blocks = findings.filter((finding) => !TOLD_BY_LOOK.has(finding.code))
  const meaning =
    spec?.type === 'integer' && member?.type === 'number' ? STATUSES.get(Number(member.text)) : undefined
  const nested = member?.type === 'object' || member?.type === 'array'
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside opens the same menu by keys
    <div
      data-menu-row=""
      className={cx(
        'grid grid-cols-[minmax(96px,29%)_minmax(0,1fr)_auto] gap-x-8 gap-y-0 py-5 border-b',
        'border-line-soft text-m leading-[1.4]',
        'last:border-b-0',
        !member && '[&_dt]:text-fg-3',
      )}
      onContextMenu={(event) => openMenu(event, () => fieldMenu(row, onShow))}
    >
      <dt className="min-w-0 text-fg-2 text-s leading-18">
        <span className="wrap-anywhere">
          <Captured text={member?.name ?? row.name} most={120} />
        </span>
        {documented && label !== undefined && !alike(label, row.name) ? (
          <span className="block text-fg-3 text-xs leading-[1.35]">{label}</span>
        ) : null}
      </dt>
      <dd className="min-w-0">
        <span className={cx(level && level !== 'note' && inkOf(level))}>
          {member ? (
            (summary ?? <FieldValue member={member} />)
          ) : (
            <span className={NOTHING}>{t(partial ? 'event.unseen' : 'event.absent')}</span>
          )}
          {meaning ? <span className="text-fg-2 text-s"> {meaning[language]}</span> : null}
          {member?.repeated ? <Tag>{t('event.repeated')}</Tag> : null}
          {level === 'note' && blocks.length === 0 ? (
            <span className="pl-6 text-noted font-bold" aria-hidden="true">
              {VERDICT_SIGNS[VERDICT_OF.note]}
            </span>
          ) : null}
        </span>
        {documented && said !== undefined ? (
          <span className="block text-fg-3 text-xs leading-[1.35]">{said}</span>
        ) : null}
        <DriftNotes facts={drift.filter(({ pointer }) => pointer === row.pointer)} />
      </dd>
      {member ? (
        <dd className="col-[3] row-[1] flex self-start -my-2">
          {nested || member.clipped ? (
            <IconButton
              small
              label={t('showInRaw')}
              icon={<CornerDownRight />}
              onClick={() => onShow(row.pointer)}
            />
          ) : null}
          {stop ? <MenuButton name={row.name} {...stop} /> : null}
        </dd>
      ) : null}
      {blocks.length > 0 ? (
        <dd className="col-span-full mt-3 [&_p:last-child]:mb-2">
          <FindingNotes findings={blocks} />
        </dd>
      ) : null}
    </div>
  )
}

export function Undocumented(props: {
  readonly rows: readonly FieldRow[]
  readonly field: (row: FieldRow) => ReactNode
  readonly explained?: boolean
}) {
  const { rows, field, explained = false } = props
  const { t } = useTexts('detail')
  if (rows.length === 0) return null
  return (
    <section>
      <h3 className={HEADING}>{t('event.undocumented')}</h3>
      {explained ? (
        <p className="mx-14 mb-2 text-fg-3 text-xs leading-[1.4]">{t('event.undocumentedText')}</p>
      ) : null}
      <dl className="px-14 pb-8">{rows.map(field)}</dl>
    </section>
  )
}

const boolean = (value: unknown) => (typeof value === 'boolean' ? value : undefined)

/** Whether fields show labels and documentation (persisted, for all tabs), and the button that toggles it. */
export function useDocumented(): { readonly documented: boolean; readonly toggle: ReactNode } {
  const { t } = useTexts('detail')
  const [documented, setDocumented] = useState(() => remembered('event-documentation', boolean, true))
  const turn = () => {
    remember('event-documentation', !documented)
    setDocumented(!documented)
  }
  const toggle = (
    <IconButton
      small
      label={t('event.documentation')}
      icon={<BookOpen />}
      pressed={documented}
      onClick={turn}
    />
  )
  return { documented, toggle }
}

// biome-ignore-all lint/a11y/useSemanticElements: rows of a virtual grid
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, its rows are active descendants
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the grid takes the keys

import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Finding } from '#contract/delivery.ts'
import { findingsUnder, pointerTo } from '@/shared/body/event-fields.ts'
import { memberCounting } from '@/shared/body/members.ts'
import type { LineTotals, Member } from '@/shared/body/protocol.ts'
import { Captured } from '@/shared/components/captured.tsx'
import { cx } from '@/shared/components/cx.ts'
import { inkOf, VERDICT_OF, worstOf } from '@/shared/components/finding-note.tsx'
import { VERDICT_SIGNS } from '@/shared/components/tag.tsx'
import type { ColumnWindow, LineColumn } from './line-columns.ts'

const ORDINAL_PX = 60
const CELL = 'flex-none px-8 leading-26 truncate'
export const ORDINAL = `${CELL} sticky z-1 left-0 w-60 border-r border-line bg-inherit text-fg-3 text-right [&_b]:float-left`
export const UNKNOWN = 'border-l border-dashed border-line [&_span]:italic'

const PLAIN = /^[!-~]+(?: [!-~]+)*$/
const NONE: readonly Finding[] = []

export interface LineRowProps {
  readonly index: number
  readonly pointer: string
  readonly drawn: ColumnWindow
  readonly members: readonly Member[] | undefined
  readonly findings: readonly Finding[] | undefined
  readonly chosen: boolean
  readonly onChoose: (index: number) => void
}

/** Memoized: a new selection re-renders only two rows. */
export const LineRow = memo(function LineRow(props: LineRowProps) {
  const { index, pointer, drawn, members, findings = NONE, chosen, onChoose } = props
  const { t } = useTranslation('detail')
  const level = worstOf(findings)
  const at = pointerTo(pointer, String(index))
  // An item that is no object has one member without a name: itself.
  const item = members?.length === 1 && members[0]?.name === '' ? members[0] : undefined
  return (
    <div
      role="row"
      id={`line-${index}`}
      aria-rowindex={index + 2}
      aria-selected={chosen}
      className={cx(
        'flex h-26 border-b border-line-soft cursor-default',
        chosen
          ? 'bg-selected forced-colors:outline-2 forced-colors:outline-[Highlight] forced-colors:-outline-offset-2'
          : 'bg-panel hover:bg-hover',
      )}
      style={{ width: ORDINAL_PX + drawn.width }}
      onClick={() => onChoose(index)}
    >
      <span role="rowheader" className={ORDINAL}>
        {level ? (
          <b className={inkOf(level)} role="img" aria-label={t(`level.${level}`)}>
            {VERDICT_SIGNS[VERDICT_OF[level]]}
          </b>
        ) : null}
        {index + 1}
      </span>
      {item ? (
        <span role="gridcell" className="px-8 leading-26 whitespace-nowrap">
          <Captured text={item.text} most={120} />
        </span>
      ) : members ? (
        <>
          <span role="presentation" className="flex-none" style={{ width: drawn.left }} />
          {drawn.columns.map(({ name, spec, width }, k) => {
            const member = spec ? memberCounting(members, name) : members.findLast((m) => m.name === name)
            const here = pointerTo(at, member?.name ?? name)
            const own = worstOf(findingsUnder(findings, here))
            return (
              <span
                role="gridcell"
                aria-colindex={drawn.before + k + 2}
                key={`${spec ? 'd' : 'u'}${name}`}
                className={cx(
                  CELL,
                  '[&_bdi]:whitespace-pre',
                  member?.type === 'number' && 'text-right',
                  member && own && inkOf(own),
                  !spec && UNKNOWN,
                )}
                style={{ width }}
              >
                <Cell member={member} absent={t('event.absent')} />
              </span>
            )
          })}
        </>
      ) : null}
    </div>
  )
})

function Cell({ member, absent }: { readonly member: Member | undefined; readonly absent: string }) {
  if (!member) {
    return (
      <span className="text-fg-3" title={absent}>
        –
      </span>
    )
  }
  if (member.type === 'literal' && member.text === 'null') return <span className="text-fg-3">null</span>
  // Most of a thousand cells are digits and codes: plain text needs no extra elements.
  return member.text.length <= 80 && PLAIN.test(member.text) ? (
    member.text
  ) : (
    <Captured text={member.text} most={80} />
  )
}

export function TotalRow(props: {
  readonly columns: readonly LineColumn[]
  readonly totals: LineTotals | null
  readonly row: number
}) {
  const { columns, totals, row } = props
  const { t } = useTranslation('detail')
  return (
    <div
      role="row"
      aria-rowindex={row}
      className="flex w-[max-content] sticky z-2 bottom-0 h-26 border-t border-line bg-sunken font-semibold"
    >
      <span role="rowheader" className={ORDINAL} aria-label={t('lines.totals')}>
        Σ
      </span>
      {columns.map(({ name, spec, summed, width }) => {
        const total = summed
          ? totals?.totals.find((one) => one.field === name && one.exempt === null)
          : undefined
        const missing = total ? total.others + total.absent : 0
        return (
          <span
            role="gridcell"
            key={`${spec ? 'd' : 'u'}${name}`}
            className={cx(CELL, 'text-right', !spec && UNKNOWN)}
            style={{ width }}
            title={
              total?.sum && missing > 0
                ? t('lines.partSum', { count: total.numbers, lines: total.numbers + missing })
                : undefined
            }
          >
            {total?.sum ?? ''}
            {total?.sum && missing > 0 ? '*' : ''}
          </span>
        )
      })}
    </div>
  )
}

// biome-ignore-all lint/a11y/useSemanticElements: a virtual grid that scrolls both ways cannot be a <table>
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, its rows are active descendants
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the grid takes the keys

import { type KeyboardEvent, memo, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Finding } from '#contract/delivery.ts'
import { alike, findingsByLine, findingsUnder, pointerTo } from '@/shared/body/event-fields.ts'
import { memberCounting } from '@/shared/body/members.ts'
import type { LineTotals, Member } from '@/shared/body/protocol.ts'
import { Captured } from '@/shared/components/captured.tsx'
import { cx } from '@/shared/components/cx.ts'
import { inkOf, VERDICT_OF, worstOf } from '@/shared/components/finding-note.tsx'
import { rowFor } from '@/shared/components/list-steps.ts'
import { VERDICT_SIGNS } from '@/shared/components/tag.tsx'
import { useVirtualRows } from '@/shared/components/use-virtual-rows.ts'
import { VirtualWindow } from '@/shared/components/virtual-window.tsx'
import { useTexts } from '@/shared/i18n/format.ts'
import type { PagedRows } from '@/shared/live/paged-rows.ts'
import { type ColumnWindow, type LineColumn, useColumnWindow } from './line-columns.ts'

export interface LinesTableProps {
  readonly list: { readonly count: number }
  readonly pointer: string
  readonly findings: readonly Finding[]
  readonly items: PagedRows<readonly Member[]>
  readonly columns: readonly LineColumn[]
  readonly totals: LineTotals | null
  readonly chosen: number | null
  readonly onChoose: (index: number) => void
}

const ROW = 26
const HEAD = 38
const STEP = 96

/** All lines with their documented fields, and a sticky row of totals. Arrows select a line. */
export function LinesTable(props: LinesTableProps) {
  const { list, pointer, findings, items, columns, totals, chosen, onChoose } = props
  const { t, language } = useTexts('detail')
  const rows = useVirtualRows({ count: list.count, rowPx: ROW, headerPx: HEAD + ROW, beyond: 8 })
  const { first, past, reveal, scroller: measureRows } = rows
  const [element, setElement] = useState<HTMLDivElement | null>(null)
  const scroller = useCallback(
    (found: HTMLDivElement) => {
      setElement(found)
      const release = measureRows(found)
      return () => {
        setElement(null)
        release()
      }
    },
    [measureRows],
  )
  const drawn = useColumnWindow(element, columns)
  const { want } = items
  const marked = useMemo(() => findingsByLine(findings, pointer), [findings, pointer])
  useEffect(() => want(first, past), [want, first, past])
  const revealed = useRef<number | null>(null)
  // The selection can also change outside the table.
  useEffect(() => {
    if (chosen === null || revealed.current === chosen) return
    revealed.current = chosen
    reveal(chosen)
  }, [chosen, reveal])
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    // The screen handles letters.
    if (event.ctrlKey || event.metaKey || event.altKey || event.key.length === 1) return
    const sideways = { ArrowRight: STEP, ArrowLeft: -STEP }[event.key]
    if (sideways !== undefined) {
      event.preventDefault()
      event.currentTarget.scrollLeft += sideways
      return
    }
    const next = rowFor(event.key, chosen ?? -1, rows.pageRows, list.count)
    if (next === undefined) return
    event.preventDefault()
    onChoose(next)
  }
  return (
    <div
      ref={scroller}
      className={cx(
        'flex-[0_1_auto] min-h-118 max-h-[55%] mx-14 mt-4 mb-10 overflow-auto border border-line rounded',
        'overscroll-contain font-code text-xs tabular-nums',
        'focus-visible:outline-offset-1 @min-[860px]:flex-1 @min-[860px]:max-h-[calc(100%_-_16px)]',
        '@min-[860px]:mt-8',
      )}
      tabIndex={0}
      role="grid"
      aria-label={t('lines.table')}
      aria-rowcount={list.count + 2}
      aria-colcount={columns.length + 1}
      {...(chosen === null ? {} : { 'aria-activedescendant': `line-${chosen}` })}
      onKeyDown={onKeyDown}
    >
      <div
        role="row"
        aria-rowindex={1}
        className="flex w-[max-content] sticky z-2 top-0 h-38 border-b border-line bg-panel text-fg-3 font-ui"
      >
        <span role="columnheader" className={cx(ORDINAL, 'leading-38!')}>
          #
        </span>
        {columns.map(({ name, spec, right, width }) => (
          <span
            role="columnheader"
            key={`${spec ? 'd' : 'u'}${name}`}
            className={cx(
              'grid flex-none content-center px-8 overflow-hidden text-fg-2 leading-15',
              '[&_span]:truncate [&_small]:truncate [&_small]:text-fg-3 [&_small]:text-[10px]',
              right && 'text-right',
              !spec && UNKNOWN,
            )}
            style={{ width }}
          >
            <span>{name}</span>
            {spec && alike(spec.label[language], name) ? null : (
              <small>{spec ? spec.label[language] : t('event.notDocumented')}</small>
            )}
          </span>
        ))}
      </div>
      <VirtualWindow rows={rows} className="w-[max-content]">
        {Array.from({ length: Math.max(0, past - first) }, (_, k) => {
          const index = first + k
          return (
            <LineRow
              key={index}
              {...{ index, pointer, drawn }}
              members={items.row(index)}
              findings={marked.get(index)}
              chosen={index === chosen}
              onChoose={onChoose}
            />
          )
        })}
      </VirtualWindow>
      <TotalRow {...{ columns, totals }} row={list.count + 2} />
    </div>
  )
}

const ORDINAL_PX = 60
const CELL = 'flex-none px-8 leading-26 truncate'
const ORDINAL = `${CELL} sticky z-1 left-0 w-60 border-r border-line bg-inherit text-fg-3 text-right [&_b]:float-left`
const UNKNOWN = 'border-l border-dashed border-line [&_span]:italic'

const PLAIN = /^[!-~]+(?: [!-~]+)*$/
const NONE: readonly Finding[] = []

interface LineRowProps {
  readonly index: number
  readonly pointer: string
  readonly drawn: ColumnWindow
  readonly members: readonly Member[] | undefined
  readonly findings: readonly Finding[] | undefined
  readonly chosen: boolean
  readonly onChoose: (index: number) => void
}

/** Memoized: a new selection re-renders only two rows. */
const LineRow = memo(function LineRow(props: LineRowProps) {
  const { index, pointer, drawn, members, findings = NONE, chosen, onChoose } = props
  const { t } = useTexts('detail')
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

function TotalRow(props: {
  readonly columns: readonly LineColumn[]
  readonly totals: LineTotals | null
  readonly row: number
}) {
  const { columns, totals, row } = props
  const { t } = useTexts('detail')
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

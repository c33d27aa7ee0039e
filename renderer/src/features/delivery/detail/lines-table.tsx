// biome-ignore-all lint/a11y/useSemanticElements: a virtual grid that scrolls both ways cannot be a <table>
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, its rows are active descendants
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the grid takes the keys
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Finding } from '#contract/delivery.ts'
import { alike, findingsByLine } from '@/shared/body/event-fields.ts'
import type { LineTotals, Member } from '@/shared/body/protocol.ts'
import { cx } from '@/shared/components/cx.ts'
import { rowFor } from '@/shared/components/list-steps.ts'
import { useVirtualRows } from '@/shared/components/use-virtual-rows.ts'
import { VirtualWindow } from '@/shared/components/virtual-window.tsx'
import { useLanguage } from '@/shared/i18n/format.ts'
import type { PagedRows } from '@/shared/live/paged-rows.ts'
import { type LineColumn, useColumnWindow } from './line-columns.ts'
import { LineRow, ORDINAL, TotalRow, UNKNOWN } from './line-rows.tsx'

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
  const { t } = useTranslation('detail')
  const language = useLanguage()
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

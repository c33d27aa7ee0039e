// biome-ignore-all lint/a11y/useSemanticElements: rows that are positioned, and mostly absent, cannot be a <table>
// biome-ignore-all lint/a11y/useFocusableInteractive: the tree is one tab stop; rows are its active descendants
import { type KeyboardEvent, useCallback, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DiffNode } from '#core/diff/types.ts'
import { cx } from '@/shared/components/cx.ts'
import { rowFor } from '@/shared/components/list-steps.ts'
import { useVirtualRows } from '@/shared/components/use-virtual-rows.ts'
import { VirtualWindow } from '@/shared/components/virtual-window.tsx'
import { copyText } from '@/shared/platform/web.ts'
import { NodeCells } from './diff-cells.tsx'
import { type DiffLayout, diffRows, type Folding, stopsOf } from './diff-rows.ts'

const ROW_PX = 24
const ROW = cx(
  'grid items-center h-24 border-b border-line-soft text-s whitespace-nowrap cursor-default',
  '[&>*]:min-w-0 [&>*]:overflow-clip [&>*]:text-ellipsis',
)
const CURRENT =
  'bg-selected [box-shadow:inset_2px_0_var(--accent)] forced-colors:outline-2 forced-colors:outline-[Highlight] forced-colors:-outline-offset-2'
const TRACKS: Readonly<Record<DiffLayout, string>> = {
  'side-by-side': 'grid-cols-[minmax(220px,1.1fr)_minmax(0,1.6fr)_minmax(0,1.6fr)_28px]',
  inline: 'grid-cols-[minmax(220px,1fr)_minmax(0,3fr)_28px]',
}
const NOTHING: Folding = { toggled: new Set(), unfolded: new Set() }

export interface DiffTreeProps {
  readonly root: DiffNode
  readonly layout: DiffLayout
  readonly onIgnore: (pointer: string) => void
  /** Rises when the reader asks for the next difference, falls for the one before. */
  readonly asked: number
  /** Tells where the reader stands among the differences, and how many there are. */
  readonly onStop: (stop: number, stops: number) => void
}

const flipped = (set: ReadonlySet<string>, value: string): ReadonlySet<string> => {
  const next = new Set(set)
  if (!next.delete(value)) next.add(value)
  return next
}

/** Both bodies as one tree: what is the same folded, what differs side by side or one above the other. */
export function DiffTree({ root, layout, onIgnore, asked, onStop }: DiffTreeProps) {
  const { t } = useTranslation('diff')
  const [folding, setFolding] = useState(NOTHING)
  const [at, setAt] = useState(0)
  const rows = useMemo(() => diffRows(root, folding), [root, folding])
  const stops = useMemo(() => stopsOf(rows), [rows])
  const virtual = useVirtualRows({ count: rows.length, rowPx: ROW_PX, beyond: 20 })
  const { reveal } = virtual
  const go = useCallback(
    (index: number, to: 'nearest' | 'center' = 'nearest') => {
      setAt(index)
      reveal(index, to)
    },
    [reveal],
  )
  const step = useCallback(
    (by: 1 | -1) => {
      const next = by === 1 ? stops.find((stop) => stop > at) : stops.findLast((stop) => stop < at)
      const wrapped = next ?? (by === 1 ? stops[0] : stops.at(-1))
      if (wrapped !== undefined) go(wrapped, 'center')
    },
    [stops, at, go],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another asking steps
  useEffect(() => {
    if (asked !== 0) step(asked > 0 ? 1 : -1)
  }, [asked])
  useEffect(() => onStop(stops.indexOf(at), stops.length), [stops, at, onStop])

  const toggle = (index: number) => {
    const row = rows[index]
    if (row?.type === 'fold') setFolding((now) => ({ ...now, unfolded: flipped(now.unfolded, row.id) }))
    else if (row && row.open !== null)
      setFolding((now) => ({ ...now, toggled: flipped(now.toggled, row.node.pointer) }))
  }
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const row = rows[at]
    const target = rowFor(event.key, at, virtual.pageRows, rows.length)
    if (target !== undefined) go(target)
    else if (event.key === 'n') step(1)
    else if (event.key === 'N') step(-1)
    else if (event.key === 'Enter' || event.key === ' ') toggle(at)
    else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
      const closed = row?.type === 'fold' || (row?.type === 'node' && row.open === false)
      const open = row?.type === 'node' && row.open === true
      if (event.key === 'ArrowRight' ? closed : open) toggle(at)
    } else if (event.key === 'i' && row?.type === 'node' && row.node.pointer !== '')
      onIgnore(row.node.pointer)
    else if (event.key === 'c' && row?.type === 'node') void copyText(row.node.pointer)
    else return
    event.preventDefault()
  }
  const { first, past } = virtual
  const shown = rows.slice(first, past)
  const rowId = (index: number) => `diff-row-${index}`
  return (
    <div
      ref={virtual.scroller}
      role="treegrid"
      tabIndex={0}
      aria-label={t('tree')}
      aria-rowcount={rows.length}
      aria-activedescendant={at >= first && at < past ? rowId(at) : undefined}
      className={cx(
        'relative flex-1 min-h-0 overflow-auto [overflow-anchor:none] border border-line rounded bg-bg',
        'outline-none',
        'focus-visible:border-accent',
      )}
      onKeyDown={press}
    >
      <VirtualWindow rows={virtual}>
        {shown.map((row, i) => {
          const index = first + i
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: keys are the tree's
            <div
              key={row.type === 'fold' ? row.id : `${row.node.pointer} ${row.node.change}`}
              id={rowId(index)}
              role="row"
              aria-rowindex={index + 1}
              aria-level={row.depth + 1}
              aria-expanded={row.type === 'fold' ? false : (row.open ?? undefined)}
              aria-selected={index === at}
              className={cx(
                ROW,
                TRACKS[layout],
                row.type === 'node' && row.node.ignored && 'text-fg-2',
                index === at ? CURRENT : 'hover:bg-hover',
              )}
              onClick={() => {
                setAt(index)
                toggle(index)
              }}
            >
              {row.type === 'fold' ? (
                <span
                  role="gridcell"
                  className="col-span-full text-fg-2 text-xs"
                  style={{ paddingInlineStart: indent(row.depth) }}
                >
                  {t('same', { count: row.count })}
                </span>
              ) : (
                <NodeCells row={row} layout={layout} indent={indent(row.depth)} onIgnore={onIgnore} />
              )}
            </div>
          )
        })}
      </VirtualWindow>
    </div>
  )
}

/** Px before a row's name; deep ones stop moving, so that their values stay in sight. */
const indent = (depth: number): number => 10 + Math.min(depth, 24) * 14

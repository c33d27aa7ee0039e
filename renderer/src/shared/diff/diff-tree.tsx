// biome-ignore-all lint/a11y/useSemanticElements: rows that are positioned, and mostly absent, cannot be a <table>
// biome-ignore-all lint/a11y/useFocusableInteractive: the tree is one tab stop; rows are its active descendants
import { ChevronDown, ChevronRight, EyeOff } from 'lucide-react'
import { type KeyboardEvent, useCallback, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DiffNode, Side } from '#core/diff/types.ts'
import { Captured } from '@/shared/components/captured.tsx'
import { cx } from '@/shared/components/cx.ts'
import { rowFor } from '@/shared/components/list-steps.ts'
import { Tag } from '@/shared/components/tag.tsx'
import { useVirtualRows } from '@/shared/components/use-virtual-rows.ts'
import { VirtualWindow } from '@/shared/components/virtual-window.tsx'
import { copyText } from '@/shared/platform/web.ts'
import { type DiffLayout, type DiffRow, diffRows, type Folding, stopsOf } from './diff-rows.ts'

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

const SIGNS = { same: '', rewritten: '≈', changed: '≠', added: '+', removed: '−' } as const
const INK = {
  same: '',
  rewritten: 'text-noted',
  changed: 'text-warning',
  added: 'text-valid',
  removed: 'text-invalid',
} as const

/** Of the two sides, where they differ. */
const GROUNDS = {
  same: ['', ''],
  rewritten: ['bg-noted-weak', 'bg-noted-weak'],
  changed: ['bg-invalid-weak', 'bg-valid-weak'],
  added: ['', 'bg-valid-weak'],
  removed: ['bg-invalid-weak', ''],
} as const
const SIDE = 'flex items-center h-full px-8 border-s border-line-soft'
const BOTH = `${SIDE} gap-8 [&_i]:flex-none [&_i]:text-fg-2 [&_i]:not-italic`
/** Only where it may be pressed: a column of crossed eyes would drown the differences. */
const IGNORE =
  'p-3 border-0 rounded-4 bg-transparent text-fg-2 leading-[0] [[role=row]:not(:hover,[aria-selected=true])_&]:invisible [&_svg]:size-14'

interface NodeCellsProps {
  readonly row: Extract<DiffRow, { type: 'node' }>
  readonly layout: DiffLayout
  readonly indent: number
  readonly onIgnore: (pointer: string) => void
}

function NodeCells({ row, layout, indent, onIgnore }: NodeCellsProps) {
  const { t } = useTranslation('diff')
  const { node, open } = row
  const Chevron = open ? ChevronDown : ChevronRight
  const [left, right] = GROUNDS[open === true || node.ignored ? 'same' : node.change]
  return (
    <>
      <span
        role="gridcell"
        className="flex items-center gap-4 text-fg-2 [&>svg]:flex-none [&>svg]:text-fg-3 [&>svg]:size-12"
        style={{ paddingInlineStart: indent }}
      >
        {open === null ? <i className="flex-none text-fg-3 size-12" /> : <Chevron aria-hidden="true" />}
        <b
          className={cx('flex-none w-12 text-center', open !== true && !node.ignored && INK[node.change])}
          title={node.change === 'same' ? undefined : t(`change.${node.change}`)}
        >
          {open === true ? '' : SIGNS[node.change]}
        </b>
        <span className="min-w-0 overflow-hidden text-ellipsis [&_bdi]:whitespace-pre">
          {node.pointer === '' ? (
            t('root')
          ) : (
            <Captured text={node.key === null ? node.name : shortKey(node.key)} mono most={120} />
          )}
        </span>
        {node.moved ? (
          <Tag tone="accent">{t('moved', { from: node.moved.from + 1, to: node.moved.to + 1 })}</Tag>
        ) : null}
        {node.ignored ? <Tag>{t('ignored')}</Tag> : null}
      </span>
      {layout === 'inline' && open !== true && node.change !== 'same' ? (
        <span role="gridcell" className={BOTH}>
          {node.left ? <Value side={node.left} tone="left" /> : null}
          {node.left && node.right ? <i aria-hidden="true">→</i> : null}
          {node.right ? <Value side={node.right} tone="right" /> : null}
        </span>
      ) : layout === 'inline' ? (
        <span role="gridcell" className={BOTH}>
          <OneValue side={node.right} open={open} />
        </span>
      ) : (
        <>
          <span role="gridcell" className={cx(SIDE, left)}>
            <OneValue side={node.left} open={open} />
          </span>
          <span role="gridcell" className={cx(SIDE, right)}>
            <OneValue side={node.right} open={open} />
          </span>
        </>
      )}
      <span role="gridcell">
        {canIgnore(node, open) ? (
          <button
            type="button"
            tabIndex={-1}
            className={IGNORE}
            title={t('ignore')}
            aria-label={t('ignoreOne', { pointer: node.pointer })}
            onClick={(event) => {
              event.stopPropagation()
              onIgnore(node.pointer)
            }}
          >
            <EyeOff aria-hidden="true" />
          </button>
        ) : null}
      </span>
    </>
  )
}

/** The end of an id tells it from its neighbours. */
const shortKey = (key: string): string => key.replace(/ (?=.{17})(.*)(.{8})$/, ' …$2')

const canIgnore = (node: DiffNode, open: boolean | null): boolean =>
  node.change !== 'same' && !node.ignored && open !== true && node.pointer !== ''

function OneValue({ side, open }: { readonly side: Side | null; readonly open: boolean | null }) {
  const { t } = useTranslation('diff')
  if (side === null) return <span className="text-fg-2 italic">{t('absent')}</span>
  return open === true ? <span className="text-fg-2">{sizeText(side)}</span> : <Value side={side} />
}

const sizeText = ({ shape, size }: Side): string => (shape === 'array' ? `[ ${size} ]` : `{ ${size} }`)

function Value({ side, tone }: { readonly side: Side; readonly tone?: 'left' | 'right' }) {
  const text = side.source.replace(/\s*\n\s*/g, ' ')
  return (
    <span
      className={cx(
        'min-w-0 overflow-hidden text-s text-ellipsis [&_bdi]:whitespace-pre',
        tone === 'left' && 'px-3 rounded-3 bg-invalid-weak',
        tone === 'right' && 'px-3 rounded-3 bg-valid-weak',
      )}
    >
      <Captured text={side.clipped ? `${text}…` : text} mono most={400} />
    </span>
  )
}

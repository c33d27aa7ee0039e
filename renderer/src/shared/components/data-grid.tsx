// biome-ignore-all lint/a11y/useSemanticElements: rows that are positioned, and mostly absent, cannot be a <table>
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is one tab stop; rows are its active descendants
import { ArrowDown, ArrowUp, Ellipsis } from 'lucide-react'
import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useState,
} from 'react'
import { askMenu, type ContextGroups } from '@/shared/actions/context.ts'
import { cx } from './cx.ts'
import { gridMenu, type Sorted } from './grid-menu.ts'
import { rowFor, useListSteps } from './list-steps.ts'
import { type Cell, type Column, cellOf } from './table.tsx'
import { useVirtualRows } from './use-virtual-rows.ts'
import { VirtualWindow } from './virtual-window.tsx'

const ROW_PX = 28
const SCROLLER = cx(
  'relative h-full min-w-0 overflow-auto [overflow-anchor:none] contain-strict outline-none bg-bg',
  'not-[[aria-activedescendant]]:focus-visible:focus-inset',
)
const ROW = cx(
  'grid grid-cols-(--columns) items-center gap-(--gap) min-w-(--least) px-12 border-b',
  'whitespace-nowrap cursor-default',
  '[&>*]:min-w-0 [&>*]:overflow-clip [&>*]:text-ellipsis [&_bdi]:whitespace-pre',
)
const HEAD = 'sticky z-header top-0 border-line bg-panel text-fg-3 text-xs'
/** Faint text has too little contrast on the selected background. */
const SELECTED =
  'bg-selected [--text-3:var(--text-2)] [box-shadow:inset_2px_0_var(--accent)] forced-colors:outline-2 forced-colors:outline-[Highlight] forced-colors:-outline-offset-2'
const POINTED = '[[role=grid]:focus-visible_&]:focus-inset'
/** For pointer users; keyboard users have the menu key. */
const MORE = cx(
  'absolute right-8 hidden [[role=row]:hover>&]:grid place-items-center size-22',
  'border border-line rounded bg-panel text-fg-2 hover:text-fg [&_svg]:size-14',
)
const AHEAD = 60

export interface GridRows<Row> {
  /** Null until the first answer arrives. */
  readonly total: number | null
  row(at: number): Row | undefined
  /** Reports the drawn range, so that its missing rows are loaded. */
  want(first: number, past: number): void
  /** Contiguous rows from the first: the cursor stays on its row when others are inserted. */
  readonly held?: readonly Row[]
}

/** Row source for rows in memory, optionally with further pages. @param total includes rows not loaded yet */
export const useHeldRows = <Row,>(held: readonly Row[], total = held.length, more?: () => void) =>
  useMemo(
    (): GridRows<Row> => ({
      held,
      total,
      row: (at) => held[at],
      want: (_, past) => {
        if (past + AHEAD >= held.length) more?.()
      },
    }),
    [held, total, more],
  )

export interface DataGridProps<Row, Id extends string, K extends string | number> {
  readonly label: string
  /** Sets `--gap` and `--least` (minimum width; narrower grids scroll sideways) of every row. */
  readonly className?: string | undefined
  readonly columns: readonly Column<Row, Id>[]
  readonly rows: GridRows<Row>
  readonly keyOf: (row: Row) => K
  readonly rowPx?: number
  readonly sorted?: Sorted<Id>
  readonly onSort?: (sorted: Sorted<Id>) => void
  readonly none?: string
  /** Key of the open row; the cursor follows it. */
  readonly open: K | null
  readonly onOpen: (key: K) => void
  readonly onClose?: () => void
  readonly onEnter?: () => void
  /** For grids without details beside them: the cursor row is highlighted, initially this one. */
  readonly begin?: K | null
  /** Keys of the selected rows; without it rows can only be opened. */
  readonly chosen?: ReadonlySet<K>
  readonly onChoose?: (chosen: ReadonlySet<K>) => void
  /** A row's context menu, besides open and copy. @param cell the clicked column; null: opened by key */
  readonly menu?: (row: Row, cell: Id | null) => ContextGroups
  readonly ref?: RefObject<HTMLDivElement | null>
}

/** A grid with a single tab stop. Arrows, j and k, page and end keys move the cursor; Enter opens a row, x or Space selects it. */
export function DataGrid<Row, Id extends string, K extends string | number>(
  props: DataGridProps<Row, Id, K>,
) {
  const { label, className, columns, rows, keyOf, rowPx = ROW_PX, none, ref } = props
  const { open, onOpen, onClose, onEnter, begin, chosen, onChoose } = props
  const { held, total, want } = rows
  const id = useId()
  const [pointed, setPointed] = useState({ at: -1, key: open ?? begin ?? null })
  const placeOf = (key: K | null) => held?.findIndex((row) => keyOf(row) === key) ?? -1
  const at = held ? placeOf(pointed.key) : pointed.at
  const count = held?.length ?? total ?? 0
  const headings = columns.some(({ title }) => title !== undefined)
  const headPx = headings ? ROW_PX : 0
  const virtual = useVirtualRows({ count, rowPx, headerPx: headPx })
  const { scroller, first, past, reveal } = virtual
  const attach = useCallback(
    (element: HTMLDivElement) => {
      if (ref) ref.current = element
      const release = scroller(element)
      return () => {
        if (ref) ref.current = null
        release()
      }
    },
    [ref, scroller],
  )
  useEffect(() => want(first, past), [want, first, past])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what opens another row reveals it
  useEffect(() => {
    if (open === null || placeOf(open) < 0) return
    setPointed({ at: -1, key: open })
    reveal(placeOf(open))
  }, [open])
  const choose = (key: K) => {
    const next = new Set(chosen)
    if (!next.delete(key)) next.add(key)
    onChoose?.(next)
  }
  const point = (index: number, row = rows.row(index)) =>
    setPointed({ at: index, key: row ? keyOf(row) : null })
  const take = (pressed: string): boolean => {
    const row = rows.row(at)
    const key = row && keyOf(row)
    if (pressed === 'Enter' && key !== undefined) open === key ? onEnter?.() : onOpen(key)
    else if (pressed === 'Escape' && onClose && open !== null) onClose()
    else if (pressed === 'Escape' && chosen && chosen.size > 0) onChoose?.(new Set())
    else if ((pressed === 'x' || pressed === ' ') && chosen) key !== undefined && choose(key)
    else {
      const next = rowFor(pressed, at, virtual.pageRows, count)
      if (next === undefined) return false
      const to = rows.row(next)
      point(next, to)
      reveal(next)
      if (open !== null && to) onOpen(keyOf(to))
    }
    return true
  }
  const press = (event: KeyboardEvent) => {
    // A button in the header handles its own keys.
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return
    if (take(event.key)) event.preventDefault()
  }
  const click = (event: MouseEvent, index: number, row: Row) => {
    point(index, row)
    if (chosen && (event.ctrlKey || event.metaKey)) choose(keyOf(row))
    else onOpen(keyOf(row))
  }
  const steps = useListSteps(take)
  const ask = gridMenu(props, headings ? 2 : 1, (index, row) => {
    point(index, row)
    // A menu on a selected row applies to the selection; on another row it applies to that row alone.
    if (chosen && chosen.size > 0 && !chosen.has(keyOf(row))) onChoose?.(new Set())
  })
  const domId = (index: number) => {
    const row = rows.row(index)
    return `${id}-${row ? keyOf(row) : index}`
  }
  const tracks = columns.map(({ track }) => track).join(' ')
  return (
    <div
      ref={attach}
      role="grid"
      data-steps={steps}
      tabIndex={0}
      aria-label={label}
      aria-rowcount={(total ?? 0) + (headings ? 1 : 0)}
      aria-colcount={columns.length}
      aria-multiselectable={chosen ? true : undefined}
      aria-activedescendant={at >= first && at < past ? domId(at) : undefined}
      className={cx(SCROLLER, className)}
      style={{ ['--columns' as string]: tracks }}
      onKeyDown={press}
      onContextMenu={ask}
    >
      {headings ? (
        <div role="row" aria-rowindex={1} className={cx(ROW, HEAD)} style={{ height: headPx }}>
          {columns.map((column) => (
            <Heading key={column.id} column={column} sorted={props.sorted} onSort={props.onSort} />
          ))}
        </div>
      ) : null}
      {none !== undefined && total === 0 ? (
        <div role="row">
          <span role="gridcell" className="block px-16 py-32 text-fg-2 text-center">
            {none}
          </span>
        </div>
      ) : null}
      <VirtualWindow rows={virtual}>
        {Array.from({ length: Math.max(0, past - first) }, (_, i) => {
          const index = first + i
          const row = rows.row(index)
          const key = row && keyOf(row)
          const isPointed = index === at
          const marked = key !== undefined && (key === open || chosen?.has(key) === true)
          const selected = marked || (begin !== undefined && isPointed)
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: keys are the grid's
            <div
              key={key ?? index}
              id={domId(index)}
              role="row"
              data-key={key ?? index}
              aria-rowindex={index + (headings ? 2 : 1)}
              aria-selected={selected}
              className={cx(
                ROW,
                'relative border-line-soft',
                selected ? SELECTED : 'hover:bg-hover',
                isPointed && POINTED,
              )}
              style={{ height: rowPx }}
              onClick={row === undefined ? undefined : (event) => click(event, index, row)}
            >
              {row === undefined ? (
                <span role="gridcell" className="col-span-full w-[40%] h-7 rounded-4 bg-line" />
              ) : (
                columns.map((column) => <GridCell key={column.id} column={column} cell={column.cell(row)} />)
              )}
              {row === undefined ? null : (
                <span
                  aria-hidden="true"
                  data-more=""
                  className={MORE}
                  onClick={(event) => {
                    event.stopPropagation()
                    askMenu(event.currentTarget)
                  }}
                >
                  <Ellipsis />
                </span>
              )}
            </div>
          )
        })}
      </VirtualWindow>
    </div>
  )
}

function GridCell<Row>(props: { readonly column: Column<Row>; readonly cell: Cell | string | null }) {
  const { column, cell } = props
  if (cell === null) return null
  const { content, title, className, span } = cellOf(cell)
  return (
    <span
      role="gridcell"
      data-column={column.id}
      title={title}
      className={cx(column.end && 'text-end pe-6', column.className, className)}
      style={span === undefined ? undefined : { gridColumn: `span ${span}` }}
    >
      {content}
    </span>
  )
}

interface HeadingProps<Row, Id extends string> {
  readonly column: Column<Row, Id>
  readonly sorted: Sorted<Id> | undefined
  readonly onSort: ((sorted: Sorted<Id>) => void) | undefined
}

function Heading<Row, Id extends string>({ column, sorted, onSort }: HeadingProps<Row, Id>) {
  const { id, title, untitled, end, sort } = column
  const descending = sorted?.by === id ? sorted.descending : null
  const Arrow = descending ? ArrowDown : ArrowUp
  const order = descending === null ? 'none' : descending ? 'descending' : 'ascending'
  const sorts = sort && sorted
  return (
    <span
      role="columnheader"
      data-column={id}
      aria-sort={sorts ? order : undefined}
      className={cx(end && 'text-end pe-6', column.className)}
    >
      {sorts ? (
        <button
          type="button"
          className={cx(
            'inline-flex items-center gap-3 max-w-full h-22 -mx-2 px-2 py-0 border-0 rounded-3 bg-transparent',
            'cursor-default',
            'hover:text-fg focus-visible:-outline-offset-2',
            '[&_svg]:size-11',
          )}
          onClick={() =>
            onSort?.({ by: id, descending: descending === null ? sort === 'down' : !descending })
          }
        >
          {title}
          {descending === null ? null : <Arrow aria-hidden="true" />}
        </button>
      ) : untitled ? (
        <span className="visually-hidden">{title}</span>
      ) : (
        title
      )}
    </span>
  )
}

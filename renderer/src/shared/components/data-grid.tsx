// biome-ignore-all lint/a11y/useSemanticElements: rows that are positioned, and mostly absent, cannot be a <table>
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is one tab stop; rows are its active descendants
import { ArrowDown, ArrowUp } from 'lucide-react'
import { type MouseEvent, type ReactNode, type RefObject, useState } from 'react'
import { cx } from './cx.ts'
import styles from './data-grid.module.css'
import { VirtualGrid } from './virtual-grid.tsx'

const ROW_PX = 28

/** A column of a table: all that the table knows of it. */
export interface Column<Row, Id extends string = string> {
  readonly id: Id
  readonly title: string
  /** The heading is for assistive technology only. */
  readonly untitled?: boolean
  /** Its part of `grid-template-columns`. */
  readonly track: string
  /** Figures stand at the end of their column, so that their digits compare. */
  readonly end?: boolean
  /** A press on the heading sorts by it: with the smallest first, or with the largest. */
  readonly sort?: 'up' | 'down'
  /** Null where a cell before it spans this column too. */
  readonly cell: (row: Row) => Cell | null
}
export interface Cell {
  readonly content: ReactNode
  readonly title?: string | undefined
  readonly className?: string | undefined
  /** Columns, itself included. */
  readonly span?: number
}
export interface Sorted<Id extends string> {
  readonly by: Id
  readonly descending: boolean
}

export interface DataGridProps<Row, Id extends string> {
  readonly label: string
  /** Sets `--gap` and `--least` of every row. */
  readonly className: string | undefined
  readonly columns: readonly Column<Row, Id>[]
  readonly rows: {
    readonly total: number | null
    row(at: number): Row | undefined
    want(a: number, b: number): void
  }
  readonly sorted?: Sorted<Id>
  readonly onSort?: (sorted: Sorted<Id>) => void
  /** Stands in for the rows when there are none. */
  readonly none?: string
  /** Key of the row that is open; the one that is pointed at goes along with it. */
  readonly open: string | null
  readonly onOpen: (key: string | null) => void
  /** Enter on the row that is open already. */
  readonly onEnter: () => void
  /** Keys of the rows that are chosen together; without it rows are opened only. */
  readonly chosen?: ReadonlySet<string>
  readonly onChoose?: (chosen: ReadonlySet<string>) => void
  readonly ref: RefObject<HTMLDivElement | null>
}

/** One row for each of any number of things, read as they come into sight: Enter opens one, x or the space bar chooses it. */
export function DataGrid<Row extends { readonly key: string }, Id extends string>(
  props: DataGridProps<Row, Id>,
) {
  const { label, className, columns, rows, none, open, onOpen, onEnter, chosen, onChoose, ref } = props
  const [at, setAt] = useState(-1)
  const choose = (key: string) => {
    const next = new Set(chosen)
    if (!next.delete(key)) next.add(key)
    onChoose?.(next)
  }
  const press = (key: string): boolean => {
    const row = rows.row(at)
    if (key === 'Enter' && row) open === row.key ? onEnter() : onOpen(row.key)
    else if (key === 'Escape' && open !== null) onOpen(null)
    else if (key === 'Escape' && chosen && chosen.size > 0) onChoose?.(new Set())
    else if ((key === 'x' || key === ' ') && chosen) row && choose(row.key)
    else return false
    return true
  }
  const click = (event: MouseEvent, index: number, key: string) => {
    setAt(index)
    if (chosen && (event.ctrlKey || event.metaKey)) choose(key)
    else onOpen(key)
  }
  return (
    <VirtualGrid
      ref={ref}
      label={label}
      className={className}
      tracks={columns.map(({ track }) => track).join(' ')}
      count={rows.total ?? 0}
      rowPx={ROW_PX}
      headPx={ROW_PX}
      head={columns.map((column) => <Heading key={column.id} column={column} {...props} />)}
      none={
        none !== undefined && rows.total === 0 ? (
          <div role="row">
            <span role="gridcell" className="block px-16 py-32 text-fg-2 text-center">
              {none}
            </span>
          </div>
        ) : null
      }
      {...(chosen ? { multiselectable: true } : {})}
      at={at}
      onPoint={(index) => {
        setAt(index)
        const row = rows.row(index)
        if (open !== null && row) onOpen(row.key)
      }}
      onKey={press}
      onDrawn={rows.want}
      row={(index) => {
        const row = rows.row(index)
        return {
          key: row?.key ?? index,
          selected: row !== undefined && (row.key === open || chosen?.has(row.key) === true),
          onClick: row && ((event) => click(event, index, row.key)),
          cells: row ? (
            columns.map(({ id, end, cell }) => <Cells key={id} end={end} cell={cell(row)} />)
          ) : (
            <span role="gridcell" className="col-span-full w-[40%] h-7 rounded-4 bg-line" />
          ),
        }
      }}
    />
  )
}

function Cells({ end, cell }: { readonly end: boolean | undefined; readonly cell: Cell | null }) {
  if (!cell) return null
  const { content, title, className, span } = cell
  return (
    <span
      role="gridcell"
      title={title}
      className={cx(end && 'text-end pe-6', className)}
      style={span === undefined ? undefined : { gridColumn: `span ${span}` }}
    >
      {content}
    </span>
  )
}

/** A press sorts by the column, another one turns the order round. */
function Heading<Row, Id extends string>({
  column: { id, title, untitled, end, sort },
  sorted,
  onSort,
}: Pick<DataGridProps<Row, Id>, 'sorted' | 'onSort'> & { readonly column: Column<Row, Id> }) {
  const on = sorted?.by === id
  const Arrow = sorted?.descending ? ArrowDown : ArrowUp
  if (!sort || !sorted)
    return (
      <span role="columnheader" className={cx(end && 'text-end pe-6')}>
        {untitled ? <span className="visually-hidden">{title}</span> : title}
      </span>
    )
  return (
    <span
      role="columnheader"
      aria-sort={on ? (sorted.descending ? 'descending' : 'ascending') : 'none'}
      className={cx(end && 'text-end pe-6')}
    >
      <button
        type="button"
        className={styles.sort}
        onClick={() => onSort?.({ by: id, descending: on ? !sorted.descending : sort === 'down' })}
      >
        {title}
        {on ? <Arrow aria-hidden="true" /> : null}
      </button>
    </span>
  )
}

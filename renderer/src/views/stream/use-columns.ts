import {
  columnOrderingFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  createColumnHelper,
  tableFeatures,
  type Updater,
  useTable,
} from '@tanstack/react-table'
import { useEffect, useMemo, useState } from 'react'
import { remember, remembered } from '@/stores/remembered.ts'
import { type ColumnLayout, moved, readLayout, USUAL_LAYOUT } from './column-layout.ts'
import { COLUMNS, type ColumnId, columnNamed, NARROWEST, WIDEST } from './columns.ts'

// Sizing before resizing, and all at module scope: the table compares them by identity.
const features = tableFeatures({
  columnVisibilityFeature,
  columnOrderingFeature,
  columnSizingFeature,
  columnResizingFeature,
})
interface Cell {
  readonly id: number
}
const helper = createColumnHelper<typeof features, Cell>()
const definitions = helper.columns(
  COLUMNS.map(({ id, width }) => helper.display({ id, size: width, minSize: NARROWEST, maxSize: WIDEST })),
)
/** The table holds the columns; rows are windowed by the list, which would otherwise pay for a model of each on every scroll. */
const NO_ROWS: Cell[] = []

const KEY = 'columns'
const idOf = (id: string): ColumnId => columnNamed(id)?.id ?? 'time'
const settle = <T>(updater: Updater<T>, value: T): T =>
  typeof updater === 'function' ? (updater as (old: T) => T)(value) : updater

function useTableOf(layout: ColumnLayout, change: (part: Partial<ColumnLayout>) => void) {
  const columnVisibility = useMemo(
    () => Object.fromEntries(layout.hidden.map((id) => [id, false])),
    [layout.hidden],
  )
  const columnOrder = useMemo(() => [...layout.order], [layout.order])
  const columnSizing = layout.widths as Record<string, number>
  return useTable({
    features,
    columns: definitions,
    data: NO_ROWS,
    columnResizeMode: 'onChange',
    state: { columnVisibility, columnOrder, columnSizing },
    onColumnVisibilityChange: (updater) => {
      const visible = settle(updater, columnVisibility)
      change({ hidden: layout.order.filter((id) => visible[id] === false) })
    },
    onColumnOrderChange: (updater) => change({ order: settle(updater, columnOrder).map(idOf) }),
    onColumnSizingChange: (updater) => change({ widths: settle(updater, columnSizing) }),
  })
}

/** Columns as they stand, with what changes them; every change is remembered. */
export function useColumns() {
  const [layout, setLayout] = useState(() => remembered(KEY, readLayout, USUAL_LAYOUT))
  useEffect(() => {
    if (layout !== USUAL_LAYOUT) remember(KEY, layout)
  }, [layout])
  const change = (part: Partial<ColumnLayout>) => setLayout((was) => ({ ...was, ...part }))
  const table = useTableOf(layout, change)
  const visible = useMemo(
    () => layout.order.filter((id) => !layout.hidden.includes(id)),
    [layout.order, layout.hidden],
  )
  const widthOf = (id: ColumnId): number => layout.widths[id] ?? columnNamed(id)?.width ?? 100
  const template = visible
    .map((id, i) => (i === visible.length - 1 ? `minmax(${widthOf(id)}px, 1fr)` : `${widthOf(id)}px`))
    .join(' ')
  return {
    headers: table.getHeaderGroups()[0]?.headers ?? [],
    visible,
    hidden: layout.hidden,
    order: layout.order,
    /** For `grid-template-columns`. */
    template,
    setVisible: (id: ColumnId, shown: boolean) => {
      if (shown || visible.length > 1)
        change({ hidden: shown ? layout.hidden.filter((h) => h !== id) : [...layout.hidden, id] })
    },
    widen: (id: ColumnId, by: number) => {
      const width = Math.max(NARROWEST, Math.min(WIDEST, widthOf(id) + by))
      change({ widths: { ...layout.widths, [id]: width } })
    },
    widthOf,
    move: (id: ColumnId, target: ColumnId) => change({ order: moved(layout.order, id, target) }),
    /** Moves among the visible columns; @returns the new place from 1, or undefined at the edge */
    nudge: (id: ColumnId, by: -1 | 1): number | undefined => {
      const target = visible[visible.indexOf(id) + by]
      if (!target) return undefined
      change({ order: moved(layout.order, id, target) })
      return visible.indexOf(target) + 1
    },
    reset: () => setLayout({ ...USUAL_LAYOUT }),
  }
}
export type Columns = ReturnType<typeof useColumns>

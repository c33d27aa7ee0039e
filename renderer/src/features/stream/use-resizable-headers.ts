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
import { useMemo } from 'react'
import { COLUMNS, type ColumnId, columnNamed, NARROWEST, WIDEST } from '@/shared/deliveries/columns.ts'
import type { Columns } from './use-columns.ts'

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

const idOf = (id: string): ColumnId => columnNamed(id)?.id ?? 'time'
const settle = <T>(updater: Updater<T>, value: T): T =>
  typeof updater === 'function' ? (updater as (old: T) => T)(value) : updater

/** The headings of the visible columns in their order, with handles that drag their widths. */
export function useResizableHeaders({ layout, held, change }: Pick<Columns, 'layout' | 'held' | 'change'>) {
  const columnVisibility = useMemo(
    () => Object.fromEntries(layout.hidden.map((id) => [id, false])),
    [layout.hidden],
  )
  const columnOrder = useMemo(() => [...layout.order], [layout.order])
  const widths = layout.widths as Record<string, number>
  // A drag begins at the width that is drawn.
  const columnSizing: Record<string, number> = { ...held, ...widths }
  const table = useTable({
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
    onColumnSizingChange: (updater) => change({ widths: settle(updater, widths) }),
  })
  return table.getHeaderGroups()[0]?.headers ?? []
}

import { useMemo, useState, useSyncExternalStore } from 'react'
import {
  type ColumnId,
  type ColumnLayout,
  columnNamed,
  layoutFor,
  moved,
  NARROWEST,
  savedAs,
  tracksOf,
  useColumnLayouts,
  WIDEST,
} from '@/shared/deliveries/columns.ts'
import { list } from '@/shared/deliveries/list.ts'
import { useSettings } from '@/shared/live/settings.ts'

const listFilter = (): string => list.state().filter

/** Columns as they stand for what is looked at, with what changes them; every change is remembered, for a saved filter as its own. */
export function useColumns() {
  const saved = useSettings((s) => s.settings?.savedFilters)
  const filter = savedAs(saved ?? [], useSyncExternalStore(list.subscribe, listFilter))
  const { layouts, keep } = useColumnLayouts()
  const layout = layoutFor(layouts, filter)
  const change = (part: Partial<ColumnLayout>) => {
    // A drag calls faster than it is drawn.
    const now = layoutFor(useColumnLayouts.getState().layouts, filter)
    keep(filter, { ...now, ...part })
  }
  const visible = useMemo(
    () => layout.order.filter((id) => !layout.hidden.includes(id)),
    [layout.order, layout.hidden],
  )
  const widthOf = (id: ColumnId): number => layout.widths[id] ?? columnNamed(id)?.width ?? 100
  const [held, hold] = useState<ColumnLayout['widths']>({})
  return {
    visible,
    hidden: layout.hidden,
    order: layout.order,
    template: tracksOf(visible, { ...held, ...layout.widths }),
    /** Of all that are shown, px: rows that are laid out in less are cut off at the end. */
    width: visible.reduce((sum, id) => sum + widthOf(id), 0),
    setVisible: (id: ColumnId, shown: boolean) => {
      if (shown || visible.length > 1)
        change({ hidden: shown ? layout.hidden.filter((h) => h !== id) : [...layout.hidden, id] })
    },
    /** @param from px, as it is drawn */
    widen: (id: ColumnId, by: number, from = widthOf(id)) => {
      const width = Math.max(NARROWEST, Math.min(WIDEST, Math.round(from + by)))
      change({ widths: { ...layout.widths, [id]: width } })
    },
    resize: (id: ColumnId) => {
      const { [id]: _, ...widths } = layout.widths
      change({ widths })
    },
    /** Columns that do not give way while another is dragged, px; they are not remembered. */
    hold,
    move: (id: ColumnId, target: ColumnId) => change({ order: moved(layout.order, id, target) }),
    /** Moves among the visible columns; @returns the new place from 1, or undefined at the edge */
    nudge: (id: ColumnId, by: -1 | 1): number | undefined => {
      const target = visible[visible.indexOf(id) + by]
      if (!target) return undefined
      change({ order: moved(layout.order, id, target) })
      return visible.indexOf(target) + 1
    },
    /** Of a saved filter: back to the layout that all share. */
    reset: () => keep(filter, null),
    /** The saved filter whose layout this is; null: of all that have none of their own. */
    filter,
  }
}
export type Columns = ReturnType<typeof useColumns>

import { useMemo, useState, useSyncExternalStore } from 'react'
import {
  type ColumnId,
  type ColumnLayout,
  columnNamed,
  columnsOf,
  fitted,
  layoutFor,
  moved,
  NARROWEST,
  savedAs,
  tracksOf,
  useColumnLayouts,
  WIDEST,
} from '@/shared/deliveries/columns.ts'
import { list } from '@/shared/deliveries/list.ts'
import { useVaried } from '@/shared/deliveries/varied.ts'
import { useSettings } from '@/shared/live/settings.ts'

const listFilter = (): string => list.state().filter

/** Of a row, beside its columns (grid.module.css), px. */
export const BESIDE_PX = 12 + 36
const SCROLL_BAR_PX = 11

/**
 * Columns as they stand for what is looked at, with what changes them; every change is remembered, for a saved filter as its own.
 * @param room width of the list, px
 */
export function useColumns(room: number) {
  const saved = useSettings((s) => s.settings?.savedFilters)
  const filter = savedAs(saved ?? [], useSyncExternalStore(list.subscribe, listFilter))
  const { layouts, keep } = useColumnLayouts()
  const layout = layoutFor(layouts, filter)
  const change = (part: Partial<ColumnLayout>) => {
    // A drag calls faster than it is drawn.
    const now = layoutFor(useColumnLayouts.getState().layouts, filter)
    keep(filter, { ...now, ...part })
  }
  const varied = useVaried((s) => s.varied)
  const fit = fitted(columnsOf(layout, varied), layout.widths, layout.shown, room - BESIDE_PX - SCROLL_BAR_PX)
  const ids = fit.visible.join()
  // The same list while the same columns fit: rows are drawn anew for another one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the ids are what it is made of
  const visible = useMemo(() => fit.visible, [ids])
  const widthOf = (id: ColumnId): number => fit.widths[id] ?? columnNamed(id)?.width ?? 100
  const [held, hold] = useState<ColumnLayout['widths']>({})
  return {
    visible,
    order: layout.order,
    /** The verdict is its sign alone. */
    short: fit.short,
    template: tracksOf(visible, { ...held, ...fit.widths }),
    /** Of all that are shown, px: rows that are laid out in less are cut off at the end. */
    width: visible.reduce((sum, id) => sum + widthOf(id), 0),
    setVisible: (id: ColumnId, shown: boolean) => {
      if (shown || visible.length > 1)
        change({
          hidden: [...layout.hidden.filter((other) => other !== id), ...(shown ? [] : [id])],
          shown: [...layout.shown.filter((other) => other !== id), ...(shown ? [id] : [])],
        })
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

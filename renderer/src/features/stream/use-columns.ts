import type { TFunction } from 'i18next'
import { useMemo, useState, useSyncExternalStore } from 'react'
import type { SortKey } from '#contract/order.ts'
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
  useVaried,
  WIDEST,
} from '@/shared/deliveries/columns.ts'
import { type ListSort, list, sortList, sortNow } from '@/shared/deliveries/list.ts'
import { useSettings } from '@/shared/live/settings.ts'

const listFilter = (): string => list.state().filter

/** Width of a row without its columns (grid.module.css), px. */
export const INSET_PX = 12 + 36
const SCROLL_BAR_PX = 11

/** Columns of the current filter, with functions that change and save them, also per saved filter. @param room width of the list, px */
export function useColumns(room: number) {
  const saved = useSettings((s) => s.settings?.savedFilters)
  const filter = savedAs(saved ?? [], useSyncExternalStore(list.subscribe, listFilter))
  const { layouts, keep } = useColumnLayouts()
  const layout = layoutFor(layouts, filter)
  const change = (part: Partial<ColumnLayout>) => {
    // A drag calls this more often than React renders.
    const now = layoutFor(useColumnLayouts.getState().layouts, filter)
    keep(filter, { ...now, ...part })
  }
  const varied = useVaried((s) => s.varied)
  const fit = fitted(columnsOf(layout, varied), layout.widths, layout.shown, room - INSET_PX - SCROLL_BAR_PX)
  const ids = fit.visible.join()
  // Keep the identity while the same columns fit: rows render again for another array.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the ids determine the array
  const visible = useMemo(() => fit.visible, [ids])
  const widthOf = (id: ColumnId): number => fit.widths[id] ?? columnNamed(id)?.width ?? 100
  const [held, hold] = useState<ColumnLayout['widths']>({})
  return {
    visible,
    order: layout.order,
    /** Whether the verdict column shows only its sign. */
    short: fit.short,
    template: tracksOf(visible, { ...held, ...fit.widths }),
    /** Sum of the visible columns, px; narrower rows would be cut off. */
    width: visible.reduce((sum, id) => sum + widthOf(id), 0),
    setVisible: (id: ColumnId, shown: boolean) => {
      if (shown || visible.length > 1)
        change({
          hidden: [...layout.hidden.filter((other) => other !== id), ...(shown ? [] : [id])],
          shown: [...layout.shown.filter((other) => other !== id), ...(shown ? [id] : [])],
        })
    },
    /** @param from rendered width, px */
    widen: (id: ColumnId, by: number, from = widthOf(id)) => {
      const width = Math.max(NARROWEST, Math.min(WIDEST, Math.round(from + by)))
      change({ widths: { ...layout.widths, [id]: width } })
    },
    resize: (id: ColumnId) => {
      const { [id]: _, ...widths } = layout.widths
      change({ widths })
    },
    /** Fixes columns at widths in px during a drag; not saved. */
    hold,
    move: (id: ColumnId, target: ColumnId) => change({ order: moved(layout.order, id, target) }),
    /** Moves a column among the visible ones. @returns its new place from 1, or undefined at the edge */
    nudge: (id: ColumnId, by: -1 | 1): number | undefined => {
      const target = visible[visible.indexOf(id) + by]
      if (!target) return undefined
      change({ order: moved(layout.order, id, target) })
      return visible.indexOf(target) + 1
    },
    /** Removes a saved filter's own layout. */
    reset: () => keep(filter, null),
    /** Saved filter with this layout; null: the shared layout. */
    filter,
  }
}
export type Columns = ReturnType<typeof useColumns>

export const sortKeyOf = (id: ColumnId): SortKey => (id === 'time' ? 'arrival' : id)

/** Direction by that key. Without a chosen order the list is descending by time. */
export function directionOf(sort: ListSort, by: SortKey): 'ascending' | 'descending' | undefined {
  const now = sort ?? { by: 'arrival', descending: true }
  if (now.by !== by) return undefined
  return now.descending ? 'descending' : 'ascending'
}

/** Sorts by a key; newest first by arrival removes the order. */
export function sortBy(by: SortKey, descending: boolean): void {
  sortList(by === 'arrival' && descending ? null : { by, descending })
}

/** Ascending, then descending, then back to arrival. */
export function sortOn(by: SortKey, now: ListSort): void {
  if (now?.by !== by) sortBy(by, false)
  else if (now.descending) sortList(null)
  else sortBy(by, true)
}

/** Sorts from a menu or the palette: like a heading, but by arrival always newest first. */
export function sortAsked(by: SortKey): void {
  if (by === 'arrival') sortBy('arrival', true)
  else sortOn(by, sortNow())
}

export const sortName = (t: TFunction<'stream'>, by: SortKey): string =>
  by === 'timestamp' ? t('sort.timestamp') : t(`column.${by === 'arrival' ? 'time' : by}`)

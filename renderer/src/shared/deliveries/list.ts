import { useSyncExternalStore } from 'react'
import type { Page, PageParams } from '#contract/delivery.ts'
import type { Sort } from '#contract/order.ts'
import { api } from '@/shared/live/api.ts'
import { DeliverySource, type SourceState } from '@/shared/live/delivery-source.ts'
import { membershipOf } from '@/shared/live/membership.ts'
import { useCursor, useFollow } from '@/shared/live/pointing.ts'
import { useSettings } from '@/shared/live/settings.ts'
import { type ColumnLayout, layoutFor, savedAs, useColumnLayouts } from './columns.ts'

export const list = new DeliverySource(
  (params) => api.call('deliveries.page', params),
  (by) => {
    useFollow.getState().shift(by)
    const { cursor, point } = useCursor.getState()
    if (cursor) point({ ...cursor, position: cursor.position + by })
  },
)

/** The selected order; null is the order of arrival, newest first, the only one that follows new deliveries. */
export type ListSort = Pick<Sort, 'by' | 'descending'> | null

const savedHere = (filter: string): string | null =>
  savedAs(useSettings.getState().settings?.savedFilters ?? [], filter)
/** The order is part of the column layout, so a saved filter may have its own. */
const sortFor = (filter: string): ListSort =>
  layoutFor(useColumnLayouts.getState().layouts, savedHere(filter)).sort ?? null

export const layoutNow = (): ColumnLayout =>
  layoutFor(useColumnLayouts.getState().layouts, savedHere(list.state().filter))

let sorted: ListSort = null

/** Shows the deliveries of a filter; the previous rows stay until the first page arrives. */
export function openList(filter: string): void {
  sorted = sortFor(filter)
  void list.open(filter, membershipOf(filter), sorted)
}

/** Sorts the list, and stores the order in the current layout. */
export function sortList(sort: ListSort): void {
  const { layouts, keep } = useColumnLayouts.getState()
  const filter = savedHere(list.wanted())
  keep(filter, { ...layoutFor(layouts, filter), sort })
}

export const sortNow = (): ListSort => sortFor(list.wanted())

function followSort(): void {
  const now = sortFor(list.wanted())
  if (now?.by !== sorted?.by || now?.descending !== sorted?.descending) reopenList()
}
useColumnLayouts.subscribe(followSort)
useSettings.subscribe(followSort)

/** The order of the list, or the one being loaded. */
export function useSort(): ListSort {
  useColumnLayouts((s) => s.layouts)
  useSettings((s) => s.settings?.savedFilters)
  return sortFor(useSyncExternalStore(list.subscribe, () => list.wanted()))
}

/** Reloads the set: deliveries were deleted, pushes were missed, or the last read failed. */
export function reopenList(): void {
  openList(list.wanted())
}

export function useList(): SourceState {
  return useSyncExternalStore(list.subscribe, list.state)
}

/** Maximum ids of a job; larger sets are selected by a filter. */
export const MOST_CHOSEN = 100_000
const PAGE = 1_000

/** Ids between two positions, in any order; at most MOST_CHOSEN, from `first` on. @param known id at a position, if cached */
export async function idsBetween(
  first: number,
  last: number,
  known: (position: number) => number | undefined,
  read: (
    params: Pick<PageParams, 'limit'> & { readonly from: number },
  ) => Promise<Pick<Page, 'rows' | 'from'>>,
): Promise<number[]> {
  const step = last < first ? -1 : 1
  const count = Math.min(MOST_CHOSEN, Math.abs(last - first) + 1)
  const from = Math.min(first, first + step * (count - 1))
  const ids: number[] = []
  for (let position = from; position < from + count; ) {
    const id = known(position)
    if (id !== undefined) {
      ids.push(id)
      position += 1
      continue
    }
    const page = await read({ from: position, limit: Math.min(PAGE, from + count - position) })
    if (page.rows.length === 0) break
    ids.push(...page.rows.map((row) => row.id))
    position += page.rows.length
  }
  return ids
}

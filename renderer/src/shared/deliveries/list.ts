import { useSyncExternalStore } from 'react'
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

/** An order that was chosen; null is that of arrival, newest first, which alone follows what arrives. */
export type ListSort = Pick<Sort, 'by' | 'descending'> | null

const savedHere = (filter: string): string | null =>
  savedAs(useSettings.getState().settings?.savedFilters ?? [], filter)
/** The order is remembered with the columns, so a saved filter may have one of its own. */
const sortFor = (filter: string): ListSort =>
  layoutFor(useColumnLayouts.getState().layouts, savedHere(filter)).sort ?? null

export const layoutNow = (): ColumnLayout =>
  layoutFor(useColumnLayouts.getState().layouts, savedHere(list.state().filter))

let sorted: ListSort = null

/** Shows the deliveries that `filter` selects; the previous ones stay until the first page is there. */
export function openList(filter: string): void {
  sorted = sortFor(filter)
  void list.open(filter, membershipOf(filter), sorted)
}

/** Puts the list in another order, and keeps that for what is looked at. */
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

/** The order that the list has, or will have once it is there. */
export function useSort(): ListSort {
  useColumnLayouts((s) => s.layouts)
  useSettings((s) => s.settings?.savedFilters)
  return sortFor(useSyncExternalStore(list.subscribe, () => list.wanted()))
}

/** Reads the set from scratch: deliveries were deleted, pushes were missed, or the last read failed. */
export function reopenList(): void {
  openList(list.wanted())
}

export function useList(): SourceState {
  return useSyncExternalStore(list.subscribe, list.state)
}

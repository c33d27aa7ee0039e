import type { TFunction } from 'i18next'
import type { SortKey } from '#contract/order.ts'
import type { ColumnId } from '@/shared/deliveries/columns.ts'
import { type ListSort, sortList, sortNow } from '@/shared/deliveries/list.ts'

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

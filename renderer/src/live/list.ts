import { useSyncExternalStore } from 'react'
import { useCursor } from '@/stores/cursor.ts'
import { useFollow } from '@/stores/follow.ts'
import { api } from './api.ts'
import { DeliverySource, type SourceState } from './delivery-source.ts'
import { membershipOf } from './membership.ts'

/** The one list of the window. */
export const list = new DeliverySource(
  (params) => api.call('deliveries.page', params),
  (by) => {
    useFollow.getState().shift(by)
    const { cursor, point } = useCursor.getState()
    if (cursor) point({ ...cursor, position: cursor.position + by })
  },
)

/** Shows the deliveries that `filter` selects; the previous ones stay until the first page is there. */
export function openList(filter: string): void {
  void list.open(filter, membershipOf(filter))
}

/** Reads the set from scratch: deliveries were deleted, pushes were missed, or the last read failed. */
export function reopenList(): void {
  openList(list.wanted())
}

export function useList(): SourceState {
  return useSyncExternalStore(list.subscribe, list.state)
}

import { idsBetween } from '@/shared/deliveries/ids-between.ts'
import { list } from '@/shared/deliveries/list.ts'
import { api } from '@/shared/live/api.ts'
import { useChosen, useCursor, useFollow } from '@/shared/live/pointing.ts'

let asked = 0

/** Chooses everything between the anchor and a position; without an anchor, from the row pointed at. */
export async function chooseTo(position: number, from: number | null): Promise<void> {
  const anchor = useChosen.getState().anchor ?? from ?? position
  const mine = ++asked
  const { epoch } = list.state()
  const ids = await idsBetween(
    anchor,
    position,
    (at) => list.row(at)?.id,
    (params) => api.call('deliveries.page', { ...list.asked(), ...params }),
  ).catch(() => null)
  // A held key asks faster than pages come: only the last range counts.
  if (ids && mine === asked && list.state().epoch === epoch) {
    // From the top of the list down, whichever way the range was drawn: so it is copied.
    useChosen.getState().set(anchor < position ? ids.toReversed() : ids, anchor)
  }
}

/** Takes a row in, or out, of what is chosen. */
export function chooseOne(id: number, position: number): void {
  const { cursor, point } = useCursor.getState()
  useFollow.getState().stop(list.state().total)
  useChosen.getState().toggle(id, position, cursor?.id ?? null)
  point({ id, position })
}

import { api } from '@/live/api.ts'
import { list } from '@/live/list.ts'
import { useCursor } from '@/stores/cursor.ts'
import { useFollow } from '@/stores/follow.ts'

/** Brings the list to a row. What is shown of a list that stands still ends where it stopped, unless the row came after that. */
function show(id: number, position: number): void {
  const { stop } = useFollow.getState()
  stop(list.state().total)
  const { head, rebase } = useFollow.getState()
  if (position >= head) rebase(list.state().total)
  useCursor.getState().seek({ id, position })
}

/**
 * Points at the first delivery of the list that came at an instant or after it; at the last before it when none did. The filter stands.
 * @param instant milliseconds since 1970
 * @returns when that delivery came, in milliseconds; null when the list is empty @throws RefusalError
 */
export async function goTo(instant: number): Promise<number | null> {
  const { id, position, receivedAt } = await api.call('deliveries.at', { ...list.asked(), instant })
  if (id === null || receivedAt === null) return null
  show(id, position)
  return receivedAt / 1_000
}

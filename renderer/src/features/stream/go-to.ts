import { list } from '@/shared/deliveries/list.ts'
import { api } from '@/shared/live/api.ts'
import { useCursor, useFollow } from '@/shared/live/pointing.ts'

/** Brings the list to a row. What is shown of a list that stands still ends where it stopped, unless the row came after that. */
function show(id: number, position: number): void {
  const { stop } = useFollow.getState()
  stop(list.state().total)
  const { head, rebase } = useFollow.getState()
  if (position >= head) rebase(list.state().total)
  useCursor.getState().seek({ id, position })
}

/** Jumps asked for so far: answers may come out of order. */
let jumps = 0

/**
 * Points at the first delivery of the list that came at an instant or after it; at the last before it when none did. The filter stands.
 * @param instant milliseconds since 1970
 * @returns when that delivery came, in milliseconds; null when the list is empty; `overtaken` when another jump was asked for meanwhile:
 *   then the list is left alone @throws RefusalError
 */
export async function goTo(instant: number): Promise<number | null | 'overtaken'> {
  jumps += 1
  const mine = jumps
  const answer = await api
    .call('deliveries.at', { ...list.asked(), instant })
    .catch((refusal: unknown) => (mine === jumps ? Promise.reject(refusal) : null))
  if (mine !== jumps || answer === null) return 'overtaken'
  const { id, position, receivedAt } = answer
  if (id === null || receivedAt === null) return null
  show(id, position)
  return receivedAt / 1_000
}

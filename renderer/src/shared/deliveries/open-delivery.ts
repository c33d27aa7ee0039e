import { api } from '@/shared/live/api.ts'
import { useReplaySheet } from '@/shared/live/layers.ts'
import { useCursor, useFollow, useSelection } from '@/shared/live/pointing.ts'
import { useRoute } from '@/shared/live/route.ts'
import { list } from './list.ts'

/** Shows a delivery in Stream, with one of its attempts when that is asked for; the list is brought to it, or says that its filter keeps it out. */
export async function openDelivery(id: number, attempt: number | null): Promise<void> {
  useFollow.getState().stop(list.state().total)
  useSelection.getState().select(id)
  if (attempt !== null) useReplaySheet.getState().want({ delivery: id, attempt })
  useRoute.getState().go('stream')
  const { filter } = list.state()
  const found = await api.call('deliveries.locate', { ...list.asked(), id }).catch(() => null)
  if (list.state().filter !== filter) return
  const { seek, miss, point } = useCursor.getState()
  if (!found) return point(null)
  if (!found.member) return miss(id, filter)
  // Another set that has just come in lets the list follow again.
  useFollow.getState().stop(list.state().total)
  // In another order everything is shown.
  if (list.state().sort) return seek({ id, position: found.position })
  // A list that stands still shows what was there when it stopped.
  const { following, head, rebase } = useFollow.getState()
  if (!following && found.position >= head) rebase(list.state().total)
  seek({ id, position: found.position })
}

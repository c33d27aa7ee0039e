import { api } from '@/shared/live/api.ts'
import { useReplaySheet } from '@/shared/live/layers.ts'
import { useCursor, useFollow, useSelection } from '@/shared/live/pointing.ts'
import { useRoute } from '@/shared/live/route.ts'
import { list } from './list.ts'

/** Opens a delivery in Stream, optionally at one of its attempts. The list scrolls to it, or reports that its filter excludes it. */
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
  // A newly loaded set resumes following, which would scroll away.
  useFollow.getState().stop(list.state().total)
  // In other orders all rows are shown.
  if (list.state().sort) return seek({ id, position: found.position })
  // A stopped list shows only the rows from before it stopped.
  const { following, head, rebase } = useFollow.getState()
  if (!following && found.position >= head) rebase(list.state().total)
  seek({ id, position: found.position })
}

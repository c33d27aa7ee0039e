import { useChosen } from '@/shared/live/chosen.ts'
import { useCursor } from '@/shared/live/cursor.ts'
import { useSelection } from '@/shared/live/selection.ts'
import type { Deleting } from '@/shared/live/trashing.ts'
import { list } from './list.ts'

/** Rows looked at, one way and the other, for one that stays. */
const MOST = 200

/** Points at the row that follows those that go, so that a key pressed again means it; what is chosen is let go of. */
export function pointPast(what: Deleting): void {
  const { cursor, point } = useCursor.getState()
  const open = useSelection.getState()
  const gone = what.type === 'ids' ? new Set(what.ids) : null
  const goes = (id: number) => gone?.has(id) ?? true
  useChosen.getState().clear()
  const next = cursor && gone ? nearest(cursor.position, goes) : null
  if (cursor?.id && goes(cursor.id)) point(next)
  if (open.id !== null && goes(open.id)) open.select(next?.id ?? null)
}

/** Downwards first: towards the older ones, which is where the list goes on. */
function nearest(position: number, goes: (id: number) => boolean) {
  for (const step of [-1, 1])
    for (let at = position + step; Math.abs(at - position) <= MOST; at += step) {
      const row = list.row(at)
      if (!row) break
      if (!goes(row.id)) return { id: row.id, position: at }
    }
  return null
}

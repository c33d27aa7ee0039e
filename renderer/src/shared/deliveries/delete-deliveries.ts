import { api } from '@/shared/live/api.ts'
import { focusGrid } from '@/shared/live/focus.ts'
import { type Deleting, useTrashing } from '@/shared/live/layers.ts'
import { useChosen, useCursor, useSelection } from '@/shared/live/pointing.ts'
import { removed } from '@/shared/live/undo.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'
import { list } from './list.ts'

/** Maximum rows searched in each direction for a row that stays. */
const MOST = 200

/** Moves the cursor to the row after the deleted ones, so that repeating the key deletes the next; clears the selection. */
function pointPast(what: Deleting): void {
  const { cursor, point } = useCursor.getState()
  const open = useSelection.getState()
  const gone = what.type === 'ids' ? new Set(what.ids) : null
  const goes = (id: number) => gone?.has(id) ?? true
  useChosen.getState().clear()
  const next = cursor && gone ? nearest(cursor.position, goes) : null
  if (cursor?.id && goes(cursor.id)) point(next)
  if (open.id !== null && goes(open.id)) open.select(next?.id ?? null)
}

/** Searches downwards first, towards older rows, where the list continues. */
function nearest(position: number, goes: (id: number) => boolean) {
  for (const step of [-1, 1])
    for (let at = position + step; Math.abs(at - position) <= MOST; at += step) {
      const row = list.row(at)
      if (!row) break
      if (!goes(row.id)) return { id: row.id, position: at }
    }
  return null
}

/** Deletes a single unpinned delivery immediately; asks for confirmation otherwise. */
export async function deleteIds(ids: readonly number[]): Promise<void> {
  const pinned = ids.filter((id) => {
    const position = list.find(id)
    return position !== undefined && list.row(position)?.marks.includes('pinned')
  }).length
  const what: Deleting = { type: 'ids', ids, pinned }
  const { ask } = useTrashing.getState()
  if (ids.length > 1 || pinned > 0) return ask(what)
  await carryOut(what).catch((error: unknown) => ask(what, refusalOf(error)))
}

/** Asks for confirmation to delete all deliveries of a filter: those present now, not later ones. */
export async function deleteShown(filter: string): Promise<void> {
  const { ask } = useTrashing.getState()
  const nothing: Deleting = { type: 'filter', filter, count: 0, pinned: 0, upTo: 0 }
  try {
    const newest = await api.call('deliveries.scan', { filter, after: null, limit: 1, newest: true })
    const [{ total }, { total: pinned }] = await Promise.all([
      api.call('deliveries.summary', { filter }),
      api.call('deliveries.summary', {
        filter: filter.trim() === '' ? 'is:pinned' : `(${filter}) is:pinned`,
      }),
    ])
    ask({ ...nothing, count: total - pinned, pinned, upTo: newest.rows[0]?.id ?? 1 })
  } catch (error) {
    ask(nothing, refusalOf(error))
  }
}

/** @throws RefusalError */
export async function carryOut(what: Deleting): Promise<void> {
  // Moves the cursor before the list reloads, which looks for the cursor row.
  pointPast(what)
  const { batch, deliveries } = await api.call(
    'deliveries.trash',
    what.type === 'ids' ? { ids: what.ids } : { filter: what.filter, upTo: what.upTo },
  )
  focusGrid()
  if (batch !== null)
    await removed('deliveries', { count: deliveries }, () => api.call('deliveries.restore', { batch }))
}

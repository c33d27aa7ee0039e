import { createShown } from '@/shared/actions/action.ts'
import { list } from '@/shared/deliveries/list.ts'
import { focusDetail, focusGrid } from '@/shared/live/focus.ts'
import { useChosen, useCursor, useFollow, useSelection } from '@/shared/live/pointing.ts'
import { chooseTo } from './choosing.ts'
import { ROW_PX } from './measures.ts'
import type { ListView } from './use-list-view.ts'

/** The list as it is looked at, while its screen is shown. */
export const listView = createShown<ListView>()

/** Where a key leads, from a position counted from the oldest. */
const MOVES: Readonly<Record<string, (from: number, page: number, newest: number) => number>> = {
  j: (from) => from - 1,
  k: (from) => from + 1,
  '↓': (from) => from - 1,
  '↑': (from) => from + 1,
  PgDn: (from, page) => from - page,
  PgUp: (from, page) => from + page,
  Home: (_from, _page, newest) => newest,
  End: () => 0,
}

/** Goes to another row. With Shift, everything on the way is chosen. @param usual the key whose way it goes when none was pressed */
export const moveBy = (usual: string) => (key?: string) => {
  const view = listView.now()
  const [name, shift] = (key ?? usual).split(' ').reverse()
  const move = MOVES[name ?? '']
  if (!view || !move) return
  const { cursor } = useCursor.getState()
  const newest = view.shown - 1
  // Nothing is pointed at yet: begin with the uppermost row in view.
  const from = cursor?.position ?? newest - Math.ceil(view.rows.offset() / ROW_PX) + 1
  view.point(move(from, Math.max(1, view.rows.pageRows - 1), newest))
  const now = useCursor.getState().cursor
  if (shift && now) void chooseTo(now.position, cursor?.position ?? null)
  else useChosen.getState().clear()
  // The row pointed at shows only in a list that has the keyboard.
  if (key === undefined || document.activeElement === document.body) focusGrid()
}

/** Opens the details of the row pointed at; once they are open, goes into them. */
export function openRow(): void {
  const { cursor } = useCursor.getState()
  const row = cursor && list.row(cursor.position)
  if (!row) return
  if (useSelection.getState().id === row.id) focusDetail()
  else listView.now()?.open(row, cursor.position)
}

/** Gives the focus of the details back to the row they belong to. */
export function closeDetail(): void {
  useSelection.getState().select(null)
  focusGrid()
}

/** Gives up what is chosen; else closes the details; else points at no row. */
export function release(): void {
  const { all, ids, clear } = useChosen.getState()
  if (all || ids.size > 0) clear()
  else if (useSelection.getState().id !== null) closeDetail()
  else useCursor.getState().point(null)
}

/** Whether `release` has something to give up. */
export function hasHold(): boolean {
  const { all, ids } = useChosen.getState()
  return all || ids.size > 0 || useSelection.getState().id !== null || useCursor.getState().cursor !== null
}

/** Stops the list or lets it go on; what arrives meanwhile is stored and counted as always. */
export function togglePause(): void {
  // In another order nothing moves anyway.
  if (list.state().sort) return
  const { paused, pause, resume } = useFollow.getState()
  if (paused) resume()
  else pause(list.state().total)
}

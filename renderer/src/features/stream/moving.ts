import type { MouseEvent } from 'react'
import { create } from 'zustand'
import { createShown } from '@/shared/actions/action.ts'
import { idsBetween, list } from '@/shared/deliveries/list.ts'
import { api } from '@/shared/live/api.ts'
import { focusDetail, focusGrid } from '@/shared/live/focus.ts'
import { useChosen, useCursor, useFollow, useSelection } from '@/shared/live/pointing.ts'
import { type ListView, ROW_PX } from './use-list-view.ts'

/** The list's view while its screen is open. */
export const listView = createShown<ListView>()

/** The clicked row and its position. */
export function pressedRow({ target }: MouseEvent, view: ListView) {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null
  const position = view.shown - 1 - Number(element?.dataset.index ?? Number.NaN)
  const row = list.row(position)
  return row && { row, position }
}

/** Target position of a key, from a position counted from the oldest. */
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

/** Moves to another row; with Shift, selects the range. @param usual key to assume when the palette calls it */
export const moveBy = (usual: string) => (key?: string) => {
  const view = listView.now()
  const [name, shift] = (key ?? usual).split(' ').reverse()
  const move = MOVES[name ?? '']
  if (!view || !move) return
  const { cursor } = useCursor.getState()
  const newest = view.shown - 1
  // Without a cursor, start at the first visible row.
  const from = cursor?.position ?? newest - Math.ceil(view.rows.offset() / ROW_PX) + 1
  view.point(move(from, Math.max(1, view.rows.pageRows - 1), newest))
  const now = useCursor.getState().cursor
  if (shift && now) void chooseTo(now.position, cursor?.position ?? null)
  else useChosen.getState().clear()
  // The cursor is visible only in a focused list.
  if (key === undefined || document.activeElement === document.body) focusGrid()
}

export function openRow(): void {
  const { cursor } = useCursor.getState()
  const row = cursor && list.row(cursor.position)
  if (!row) return
  if (useSelection.getState().id === row.id) focusDetail()
  else listView.now()?.open(row, cursor.position)
}

/** Returns the focus from the details to their row. A list at its newest row follows again. */
export function closeDetail(): void {
  useSelection.getState().select(null)
  focusGrid()
  const view = listView.now()
  if (canFollow() && view && view.rows.offset() <= 0) view.toNewest()
}

export function release(): void {
  const { all, ids, clear } = useChosen.getState()
  if (all || ids.size > 0) clear()
  else if (useSelection.getState().id !== null) closeDetail()
  else {
    useCursor.getState().point(null)
    if (canFollow()) listView.now()?.toNewest()
  }
}

export function hasHold(): boolean {
  const { all, ids } = useChosen.getState()
  const row = useSelection.getState().id !== null || useCursor.getState().cursor !== null
  return all || ids.size > 0 || row || canFollow()
}

/** Whether a cursor or a scroll stopped the list, not the user's pause. */
function canFollow(): boolean {
  const { following, paused } = useFollow.getState()
  return !following && !paused && !list.state().sort
}

/** Pauses the list or resumes it. Acuse still stores and counts all deliveries. */
export function togglePause(): void {
  // A sorted list does not follow.
  if (list.state().sort) return
  const { paused, pause, resume } = useFollow.getState()
  if (paused) resume()
  else pause(list.state().total)
}

let asked = 0

/** Selects from the anchor to a position; without an anchor, from the cursor. */
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
  // A held key requests faster than pages arrive, so only the last range counts.
  if (ids && mine === asked && list.state().epoch === epoch) {
    // Always from top to bottom, which is the order of a copy.
    useChosen.getState().set(anchor < position ? ids.toReversed() : ids, anchor)
  }
}

export function chooseOne(id: number, position: number): void {
  const { cursor, point } = useCursor.getState()
  useFollow.getState().stop(list.state().total)
  useChosen.getState().toggle(id, position, cursor?.id ?? null)
  point({ id, position })
}

/** Whether the user asked to go to a time. */
export const useGoing = create<{ readonly asked: boolean }>()(() => ({ asked: false }))

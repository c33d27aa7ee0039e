import { store } from './store.ts'

interface Chosen {
  /** The selection covers all deliveries of the filter, future ones included. */
  readonly all: boolean
  /** Ids of the selected deliveries; fewer than two are no multiple selection. */
  readonly ids: ReadonlySet<number>
  /** Position at which a range selection starts; null when there is none. */
  readonly anchor: number | null
}

const NONE: Chosen = { all: false, ids: new Set(), anchor: null }

/** The multiple selection of the list. Cursor and opened row have stores of their own (useCursor, useSelection). */
export const useChosen = store(NONE)((set) => ({
  setAll: () => set({ ...NONE, all: true }),
  /** Replaces the selection, as a range does. */
  set: (ids: Iterable<number>, anchor: number) => set({ all: false, ids: new Set(ids), anchor }),
  /** Toggles one row. @param cursorId the cursor's row, which an empty selection includes too */
  toggle: (id: number, position: number, cursorId: number | null) =>
    set((now) => {
      const ids = new Set(now.all ? [] : now.ids)
      if (ids.size === 0 && cursorId !== null && cursorId !== id) ids.add(cursorId)
      if (!ids.delete(id)) ids.add(id)
      return { all: false, ids, anchor: position }
    }),
  // Returns the same object when nothing changes: every arrow key clears the selection and must not cause a redraw.
  clear: () => set((now) => (now.all || now.ids.size > 0 || now.anchor !== null ? NONE : now)),
}))

/** The list's cursor: a row's id, and its position from the oldest. The row may be open (see selection) or not. */
export interface Cursor {
  readonly id: number | null
  readonly position: number
}

interface Pointing {
  readonly cursor: Cursor | null
  /** The list still has to scroll to the row. */
  readonly sought: boolean
  /** A delivery that the user asked to see, and the filter that excludes it. */
  readonly missed: { readonly id: number; readonly filter: string } | null
}

export const useCursor = store<Pointing>({ cursor: null, sought: false, missed: null })((set) => ({
  point: (cursor: Cursor | null) => set({ cursor, sought: false }),
  /** Moves the cursor from outside the list; the list scrolls to the row once it is loaded. */
  seek: (cursor: Cursor) => set({ cursor, sought: true, missed: null }),
  found: () => set({ sought: false }),
  miss: (id: number, filter: string) => set({ cursor: null, sought: false, missed: { id, filter } }),
}))

/** Id of the delivery shown in the details; null when there is none. */
export const useSelection = store<{ readonly id: number | null }>({ id: null })((set) => ({
  select: (id: number | null) => set({ id }),
}))

/** Following shows all rows. Stopped, the list shows the `head` oldest rows and counts later ones, so that a full screen does not move. */
interface Follow {
  readonly following: boolean
  /** The user paused the list, so only the user resumes it. */
  readonly paused: boolean
  readonly head: number
}

export const useFollow = store<Follow>({ following: true, paused: false, head: 0 })((set) => ({
  stop: (total: number) => set((s) => (s.following ? { following: false, head: total } : s)),
  resume: () => set({ following: true, paused: false }),
  pause: (total: number) =>
    set((s) => ({ following: false, paused: true, head: s.following ? total : s.head })),
  /** A list that stopped automatically shows at least this many rows. */
  fill: (rows: number) => set((s) => (s.paused || s.following || s.head >= rows ? s : { head: rows })),
  /** After a new set or new positions, the list ends at `total` again. */
  rebase: (total: number) => set({ head: total }),
  /** All positions increased by this number. */
  shift: (by: number) => set((s) => ({ head: s.head + by })),
}))

/** Number of rows that the list shows, of `total` rows in the set. */
export function shownOf(follow: Pick<Follow, 'following' | 'head'>, total: number): number {
  return follow.following ? total : Math.min(follow.head, total)
}

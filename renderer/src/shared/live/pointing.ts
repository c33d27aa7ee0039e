import { store } from './store.ts'

interface Chosen {
  /** Everything that the filter shows, also what is still to come. */
  readonly all: boolean
  /** Deliveries chosen together; fewer than two are no choice of several. */
  readonly ids: ReadonlySet<number>
  /** Position from which a range reaches; null while there is none. */
  readonly anchor: number | null
}

const NONE: Chosen = { all: false, ids: new Set(), anchor: null }

/** Several rows of the list that something is to be done with. The row that is pointed at, or open, is elsewhere (cursor, selection). */
export const useChosen = store(NONE)((set) => ({
  setAll: () => set({ ...NONE, all: true }),
  /** Replaces what is chosen, as a range does. */
  set: (ids: Iterable<number>, anchor: number) => set({ all: false, ids: new Set(ids), anchor }),
  /** Takes one in, or out. @param beside chosen too when nothing was: the row pointed at before */
  toggle: (id: number, position: number, beside: number | null) =>
    set((now) => {
      const ids = new Set(now.all ? [] : now.ids)
      if (ids.size === 0 && beside !== null && beside !== id) ids.add(beside)
      if (!ids.delete(id)) ids.add(id)
      return { all: false, ids, anchor: position }
    }),
  // The same object again when nothing changes: every arrow key clears, and nothing must be drawn for that.
  clear: () => set((now) => (now.all || now.ids.size > 0 || now.anchor !== null ? NONE : now)),
}))

/** The row that keys act on: its id, and its position from the oldest. It may be open (see selection) or only pointed at. */
export interface Cursor {
  readonly id: number | null
  readonly position: number
}

interface Pointing {
  readonly cursor: Cursor | null
  /** The list has yet to bring the row into sight. */
  readonly sought: boolean
  /** A delivery that was to be shown in the list, and the filter that keeps it out. */
  readonly missed: { readonly id: number; readonly filter: string } | null
}

export const useCursor = store<Pointing>({ cursor: null, sought: false, missed: null })((set) => ({
  point: (cursor: Cursor | null) => set({ cursor, sought: false }),
  /** Points at a row from elsewhere; the list brings it into sight as soon as it is there. */
  seek: (cursor: Cursor) => set({ cursor, sought: true, missed: null }),
  found: () => set({ sought: false }),
  miss: (id: number, filter: string) => set({ cursor: null, sought: false, missed: { id, filter } }),
}))

/** Id of the delivery whose details are shown; null when none is. */
export const useSelection = store<{ readonly id: number | null }>({ id: null })((set) => ({
  select: (id: number | null) => set({ id }),
}))

/** Following: all rows. Stopped: the `head` oldest, and as many as fill the page: nothing on a full screen moves, later ones are a count. */
interface Follow {
  readonly following: boolean
  /** Stopped by hand: only resuming by hand follows again. */
  readonly paused: boolean
  readonly head: number
}

export const useFollow = store<Follow>({ following: true, paused: false, head: 0 })((set) => ({
  stop: (total: number) => set((s) => (s.following ? { following: false, head: total } : s)),
  resume: () => set({ following: true, paused: false }),
  pause: (total: number) =>
    set((s) => ({ following: false, paused: true, head: s.following ? total : s.head })),
  /** A list that stopped by itself shows at least so many rows. */
  fill: (rows: number) => set((s) => (s.paused || s.following || s.head >= rows ? s : { head: rows })),
  /** Another set, or the same with other positions: what is shown ends at `total` again. */
  rebase: (total: number) => set({ head: total }),
  /** All positions have risen by so much. */
  shift: (by: number) => set((s) => ({ head: s.head + by })),
}))

/** Rows that the list shows, of a set of `total`. */
export function shownOf(follow: Pick<Follow, 'following' | 'head'>, total: number): number {
  return follow.following ? total : Math.min(follow.head, total)
}

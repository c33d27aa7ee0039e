import { create } from 'zustand'

interface ChosenStore {
  /** Everything that the filter shows, also what is still to come. */
  readonly all: boolean
  /** Deliveries chosen together; fewer than two are no choice of several. */
  readonly ids: ReadonlySet<number>
  /** Position from which a range reaches; null while there is none. */
  readonly anchor: number | null
  setAll(): void
  /** Replaces what is chosen, as a range does. */
  set(ids: Iterable<number>, anchor: number): void
  /** Takes one in, or out. @param beside chosen too when nothing was: the row pointed at before */
  toggle(id: number, position: number, beside: number | null): void
  clear(): void
}

const NONE = { all: false, ids: new Set<number>(), anchor: null } as const

/** Several rows of the list that something is to be done with. The row that is pointed at, or open, is elsewhere (cursor, selection). */
export const useChosen = create<ChosenStore>()((set) => ({
  ...NONE,
  setAll: () => set({ ...NONE, all: true }),
  set: (ids, anchor) => set({ all: false, ids: new Set(ids), anchor }),
  toggle: (id, position, beside) =>
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

interface CursorStore {
  readonly cursor: Cursor | null
  /** The list has yet to bring the row into sight. */
  readonly sought: boolean
  /** A delivery that was to be shown in the list, and the filter that keeps it out. */
  readonly missed: { readonly id: number; readonly filter: string } | null
  point(cursor: Cursor | null): void
  /** Points at a row from elsewhere; the list brings it into sight as soon as it is there. */
  seek(cursor: Cursor): void
  found(): void
  miss(id: number, filter: string): void
}

export const useCursor = create<CursorStore>()((set) => ({
  cursor: null,
  sought: false,
  missed: null,
  point: (cursor) => set({ cursor, sought: false }),
  seek: (cursor) => set({ cursor, sought: true, missed: null }),
  found: () => set({ sought: false }),
  miss: (id, filter) => set({ cursor: null, sought: false, missed: { id, filter } }),
}))

interface Selection {
  /** Id of the delivery whose details are shown; null when none is. */
  readonly id: number | null
  select(id: number | null): void
}

export const useSelection = create<Selection>()((set) => ({
  id: null,
  select: (id) => set({ id }),
}))

/** Following: all rows. Stopped: the `head` oldest, and as many as fill the page: nothing on a full screen moves, later ones are a count. */
interface Follow {
  readonly following: boolean
  /** Stopped by hand: only resuming by hand follows again. */
  readonly paused: boolean
  readonly head: number
  stop(total: number): void
  resume(): void
  pause(total: number): void
  /** A list that stopped by itself shows at least so many rows. */
  fill(rows: number): void
  /** Another set, or the same with other positions: what is shown ends at `total` again. */
  rebase(total: number): void
  /** All positions have risen by so much. */
  shift(by: number): void
}

export const useFollow = create<Follow>()((set) => ({
  following: true,
  paused: false,
  head: 0,
  stop: (total) => set((s) => (s.following ? { following: false, head: total } : s)),
  resume: () => set({ following: true, paused: false }),
  pause: (total) => set((s) => ({ following: false, paused: true, head: s.following ? total : s.head })),
  fill: (rows) => set((s) => (s.paused || s.following || s.head >= rows ? s : { head: rows })),
  rebase: (total) => set({ head: total }),
  shift: (by) => set((s) => ({ head: s.head + by })),
}))

/** Rows that the list shows, of a set of `total`. */
export function shownOf(follow: Pick<Follow, 'following' | 'head'>, total: number): number {
  return follow.following ? total : Math.min(follow.head, total)
}

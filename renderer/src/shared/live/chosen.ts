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

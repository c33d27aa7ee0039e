import { create } from 'zustand'

interface Selection {
  /** Id of the delivery whose details are shown; null when none is. */
  readonly id: number | null
  select(id: number | null): void
}

export const useSelection = create<Selection>()((set) => ({
  id: null,
  select: (id) => set({ id }),
}))

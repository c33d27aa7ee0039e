import { create } from 'zustand'

/** The row that keys act on: its id, and its position from the oldest. It may be open (see selection) or only pointed at. */
export interface Cursor {
  readonly id: number | null
  readonly position: number
}

interface CursorStore {
  readonly cursor: Cursor | null
  point(cursor: Cursor | null): void
}

export const useCursor = create<CursorStore>()((set) => ({
  cursor: null,
  point: (cursor) => set({ cursor }),
}))

import { create } from 'zustand'

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

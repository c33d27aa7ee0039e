import { create } from 'zustand'

/** What was given to be checked. */
export interface GivenFile {
  /** Null when it was no file but a folder. */
  readonly file: File | null
  /** Others that came with it and are not looked at. */
  readonly others: number
}

interface OverStore {
  /** What stands over the screen; null for nothing. */
  readonly shown: 'help' | 'palette' | 'file-check' | null
  /** Null while none was given: the person is asked for one. */
  readonly given: GivenFile | null
  show(what: NonNullable<OverStore['shown']>): void
  give(given: GivenFile): void
  close(): void
}

/** The window's own dialogs, over whatever screen there is: one at a time. */
export const useOver = create<OverStore>()((set) => ({
  shown: null,
  given: null,
  show: (shown) => set({ shown, given: null }),
  give: (given) => set({ shown: 'file-check', given }),
  close: () => set({ shown: null, given: null }),
}))

import { create } from 'zustand'

/** Two deliveries by id; `previous` is the one before the right one among those of its document. */
export interface ComparedPair {
  readonly left: number | 'previous'
  readonly right: number
}

interface CompareStore {
  /** Null while nothing is compared. */
  readonly pair: ComparedPair | null
  open(pair: ComparedPair): void
  close(): void
}

/** Which deliveries are being compared, over whatever screen there is. */
export const useCompare = create<CompareStore>()((set) => ({
  pair: null,
  open: (pair) => set({ pair }),
  close: () => set({ pair: null }),
}))

import { create } from 'zustand'
import type { Refusal } from '#contract/errors.ts'

/** What is to be deleted. */
export type Deleting =
  | { readonly type: 'ids'; readonly ids: readonly number[]; readonly pinned: number }
  /** All that a filter shows, none newer than `upTo`. */
  | {
      readonly type: 'filter'
      readonly filter: string
      readonly count: number
      readonly pinned: number
      readonly upTo: number
    }

interface TrashingStore {
  /** What the person is asked about; null while nothing is. */
  readonly asked: Deleting | null
  /** Why it could not be found out, or done. */
  readonly refusal: Refusal | null
  ask(asked: Deleting, refusal?: Refusal): void
  close(): void
}

/** The question before many deliveries are deleted. */
export const useTrashing = create<TrashingStore>()((set) => ({
  asked: null,
  refusal: null,
  ask: (asked, refusal) => set({ asked, refusal: refusal ?? null }),
  close: () => set({ asked: null, refusal: null }),
}))

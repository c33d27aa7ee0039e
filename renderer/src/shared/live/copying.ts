import { create } from 'zustand'
import type { Refusal } from '#contract/errors.ts'

/** `text`: tab-separated, with headings. `curl-secrets`: with the values of secret headers. */
export const COPY_AS = ['text', 'json', 'ndjson', 'curl', 'curl-secrets'] as const
export type CopyAs = (typeof COPY_AS)[number]

export type Copying =
  | { readonly state: 'going'; readonly done: number; readonly of: number }
  /** `of` is more than `count` where a bound was met. */
  | { readonly state: 'done'; readonly as: CopyAs; readonly count: number; readonly of: number }
  /** Null: the clipboard is not to be had. */
  | { readonly state: 'failed'; readonly refusal: Refusal | null }

interface CopyingStore {
  readonly now: Copying | null
  /** Rises with every copy, and when one is given up: what is not the latest stops. */
  readonly turn: number
  /** @returns the turn */
  begin(): number
  tell(turn: number, now: Copying): void
  end(): void
}

/** What is being put on the clipboard from the list. */
export const useCopying = create<CopyingStore>()((set, get) => ({
  now: null,
  turn: 0,
  begin: () => {
    set((s) => ({ turn: s.turn + 1, now: null }))
    return get().turn
  },
  tell: (turn, now) => set((s) => (s.turn === turn ? { now } : s)),
  end: () => set((s) => ({ turn: s.turn + 1, now: null })),
}))

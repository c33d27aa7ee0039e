import { create } from 'zustand'

/**
 * Which part of the set the list shows. While it follows, all of it. Once it stops, only the `head` oldest, which are those that
 * were there: nothing on screen can move, and later arrivals are a count.
 */
interface Follow {
  readonly following: boolean
  /** Stopped by hand: only resuming by hand follows again. */
  readonly paused: boolean
  readonly head: number
  stop(total: number): void
  resume(): void
  pause(total: number): void
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
  rebase: (total) => set({ head: total }),
  shift: (by) => set((s) => ({ head: s.head + by })),
}))

/** Rows that the list shows, of a set of `total`. */
export function shownOf(follow: Pick<Follow, 'following' | 'head'>, total: number): number {
  return follow.following ? total : Math.min(follow.head, total)
}

import type { Refusal } from '#contract/errors.ts'
import type { Sweep, SweepRequest } from '#contract/reconcile.ts'
import { api, hear } from '@/shared/live/api.ts'
import { renewed } from '@/shared/live/replays.ts'
import { store } from '@/shared/live/store.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'

interface Known {
  /** Newest first; null until loaded. */
  readonly sweeps: readonly Sweep[] | null
  readonly refusal: Refusal | null
  /** Sweeps started in this window that the host continues on the other route. */
  readonly followed: ReadonlySet<number>
}

const NOTHING: Known = { sweeps: null, refusal: null, followed: new Set() }

export const useSweeps = store(NOTHING)((set) => ({
  refresh: async () => {
    try {
      const { sweeps } = await api.call('sweeps.list', {})
      set({ sweeps: renewed([], sweeps), refusal: null })
    } catch (error) {
      set({ refusal: refusalOf(error) })
    }
  },
  receive: (fresh: readonly Sweep[], removed?: readonly number[]) =>
    set((now) => ({ sweeps: renewed(now.sweeps ?? [], fresh, removed) })),
  /** @returns the started sweep; for both routes, the first of two @throws RefusalError */
  start: async (connection: string, range: SweepRequest) => {
    const sweep = await api.call('sweeps.start', { connection, range })
    if (range.route === 'both') set(({ followed }) => ({ followed: new Set([...followed, sweep.id]) }))
    set((now) => ({ sweeps: renewed(now.sweeps ?? [], [sweep]), refusal: null }))
    return sweep
  },
}))

/** Keeps the sweeps up to date. @returns stops it */
export function watchSweeps(): () => void {
  const { refresh, receive } = useSweeps.getState()
  void refresh()
  const stop = hear(
    ({ push, payload }) => {
      if (push === 'sweeps.changed') receive(payload.sweeps, payload.removed)
    },
    () => void refresh(),
  )
  // A push can be lost, and a running sweep must not look stopped.
  const timer = setInterval(() => {
    if (useSweeps.getState().sweeps?.some(({ state }) => state === 'running')) void refresh()
  }, 3_000)
  return () => {
    stop()
    clearInterval(timer)
  }
}

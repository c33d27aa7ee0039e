import { create } from 'zustand'
import type { Refusal } from '#contract/errors.ts'
import type { Sweep, SweepRequest } from '#contract/reconcile.ts'
import { api, host } from '@/shared/live/api.ts'
import { renewed } from '@/shared/live/replays.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'

interface SweepsStore {
  /** Newest first; null until the host has told them. */
  readonly sweeps: readonly Sweep[] | null
  readonly refusal: Refusal | null
  /** Sweeps begun here that the host lets the other route follow. */
  readonly followed: ReadonlySet<number>
  refresh(): Promise<void>
  receive(fresh: readonly Sweep[], removed?: readonly number[]): void
  /** @returns the sweep begun, the first of two for both routes @throws RefusalError */
  start(connection: string, range: SweepRequest): Promise<Sweep>
}

export const useSweeps = create<SweepsStore>()((set, get) => ({
  sweeps: null,
  refusal: null,
  followed: new Set(),
  refresh: async () => {
    try {
      const { sweeps } = await api.call('sweeps.list', {})
      set({ sweeps: [], refusal: null })
      get().receive(sweeps)
    } catch (error) {
      set({ refusal: refusalOf(error) })
    }
  },
  receive: (fresh, removed) => set((now) => ({ sweeps: renewed(now.sweeps ?? [], fresh, removed) })),
  start: async (connection, range) => {
    const sweep = await api.call('sweeps.start', { connection, range })
    if (range.route === 'both') set(({ followed }) => ({ followed: new Set([...followed, sweep.id]) }))
    set({ refusal: null })
    get().receive([sweep])
    return sweep
  },
}))

/** Keeps the sweeps true to the host until the returned function is called. */
export function watchSweeps(): () => void {
  const { refresh, receive } = useSweeps.getState()
  void refresh()
  let lost = false
  const pushes = host().onPush(({ push, payload }) => {
    if (push === 'sweeps.changed') receive(payload.sweeps, payload.removed)
  })
  const connections = host().onConnection((state) => {
    if (state === 'open' && lost) void refresh()
    lost = state === 'lost'
  })
  // A push may be missed; nothing that runs may look as if it stood still.
  const timer = setInterval(() => {
    if (useSweeps.getState().sweeps?.some(({ state }) => state === 'running')) void refresh()
  }, 3_000)
  return () => {
    pushes()
    connections()
    clearInterval(timer)
  }
}

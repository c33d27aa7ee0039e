import { create } from 'zustand'
import type { Refusal } from '#contract/errors.ts'
import type { Sweep, SweepRange } from '#contract/reconcile.ts'
import { api, host } from '@/live/api.ts'
import { refusalOf } from '@/platform/refusal-error.ts'
import { withSweeps } from './sweep-list.ts'

interface Queued {
  /** The sweep that it waits for. */
  readonly after: number
  readonly connection: string
  readonly range: SweepRange
}

interface SweepsStore {
  /** Newest first; null until the host has told them. */
  readonly sweeps: readonly Sweep[] | null
  /** Why the last reading failed, or a sweep that was to follow another did not begin. */
  readonly refusal: Refusal | null
  /** The second route, while the first is being swept: one sweep of a connection at a time. */
  readonly queued: Queued | null
  refresh(): Promise<void>
  /** Takes sweeps as they are now. */
  receive(fresh: readonly Sweep[], removed?: readonly number[]): void
  /** Begins the first range, and the second when the first is done. @returns the sweep begun @throws RefusalError */
  start(connection: string, ranges: readonly SweepRange[]): Promise<Sweep | undefined>
}

export const useSweeps = create<SweepsStore>()((set, get) => ({
  sweeps: null,
  refusal: null,
  queued: null,
  refresh: async () => {
    try {
      const { sweeps } = await api.call('sweeps.list', {})
      set({ sweeps: [], refusal: null })
      get().receive(sweeps)
    } catch (error) {
      set({ refusal: refusalOf(error) })
    }
  },
  receive: (fresh, removed = []) => {
    set((now) => ({ sweeps: withSweeps(now.sweeps ?? [], fresh, removed) }))
    const { queued, sweeps } = get()
    if (!queued) return
    const before = sweeps?.find(({ id }) => id === queued.after)
    if (before?.state === 'running' || before?.state === 'paused') return
    set({ queued: null })
    // What was cancelled or refused is not followed by more of the same.
    if (before?.state !== 'complete' && before?.state !== 'incomplete') return
    api
      .call('sweeps.start', { connection: queued.connection, range: queued.range })
      .then((sweep) => get().receive([sweep]))
      .catch((error: unknown) => set({ refusal: refusalOf(error) }))
  },
  start: async (connection, [first, second]) => {
    if (!first) return undefined
    const sweep = await api.call('sweeps.start', { connection, range: first })
    set({ queued: second ? { after: sweep.id, connection, range: second } : null, refusal: null })
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

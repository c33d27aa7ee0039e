import { useEffect, useState } from 'react'
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

/** Progress of a sweep at a time (milliseconds since the epoch). */
interface PaceSample {
  readonly at: number
  readonly documents: number
  /** From 0 to 1; null when unknown. */
  readonly share: number | null
}
interface Pace {
  /** Recent documents per second; null until there are two samples. */
  readonly perSecond: number | null
  /** Estimated milliseconds until the end, from the recent progress in issue dates; null when unknown. */
  readonly leftMs: number | null
}

/** Window of the samples: older ones mislead, because services slow down and sweeps pause. */
const LATELY_MS = 30_000
const ENOUGH_MS = 1_000

/** @param samples of one uninterrupted run, in ascending order of time */
export function paceOf(samples: readonly PaceSample[]): Pace {
  const last = samples.at(-1)
  const first = samples.find(({ at }) => last !== undefined && at >= last.at - LATELY_MS)
  if (!first || !last || last.at - first.at < ENOUGH_MS) return { perSecond: null, leftMs: null }
  const took = last.at - first.at
  return {
    perSecond: ((last.documents - first.documents) * 1_000) / took,
    leftMs: leftMs(samples.filter(({ at }) => at >= first.at)),
  }
}

function leftMs(samples: readonly PaceSample[]): number | null {
  // Before the first page there is no progress.
  const dated = samples.flatMap(({ at, share }) => (share === null ? [] : [{ at, share }]))
  const [first, last] = [dated[0], dated.at(-1)]
  if (!first || !last || last.share <= first.share || last.at <= first.at) return null
  return ((1 - last.share) / (last.share - first.share)) * (last.at - first.at)
}

export function usePace(sweep: Sweep): Pace {
  const { id, state, documents } = sweep
  const running = state === 'running'
  const share = reachedShare(sweep)
  const [run, setRun] = useState<{ readonly of: string; readonly samples: readonly PaceSample[] }>({
    of: '',
    samples: [],
  })
  const of = `${id} ${state}`
  useEffect(() => {
    if (!running) return
    const sample = { at: Date.now(), documents, share }
    setRun((now) => ({
      of,
      samples: [
        ...(now.of === of ? now.samples : []).filter(({ at }) => at >= sample.at - LATELY_MS),
        sample,
      ],
    }))
  }, [running, of, documents, share])
  return running && run.of === of ? paceOf(run.samples) : { perSecond: null, leftMs: null }
}

/** From 0 to 1, by the issue date reached. Null when unknown: the service sends no total, and treasury-sync ranges may be unbounded. */
export function reachedShare({ range, reached }: Pick<Sweep, 'range' | 'reached'>): number | null {
  if (reached === null || range.from === null || range.to === null) return null
  const from = Date.parse(range.from)
  const share = (Date.parse(reached) - from) / (Date.parse(range.to) - from)
  return Number.isFinite(share) ? Math.max(0, Math.min(1, share)) : null
}

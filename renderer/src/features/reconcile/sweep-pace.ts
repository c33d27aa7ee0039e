import { useEffect, useState } from 'react'
import type { Sweep } from '#contract/reconcile.ts'

/** How far a sweep was at a time (milliseconds). */
export interface PaceSample {
  readonly at: number
  readonly documents: number
  /** From 0 to 1; null where it cannot be known. */
  readonly share: number | null
}
export interface Pace {
  /** Documents a second, lately; null until two moments are known. */
  readonly perSecond: number | null
  /** Milliseconds until it is done, by the issue dates gone through lately; null where that cannot be known. */
  readonly leftMs: number | null
}

/** What is older says nothing about now: services slow down, and a pause is no work. */
const LATELY_MS = 30_000
const ENOUGH_MS = 1_000

/** @param samples of one uninterrupted run, rising */
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
  // Before the first page nothing was reached.
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

/** From 0 to 1, by the issue date reached; null where it is unknown: the service tells no total, and treasury-sync may have no bounds. */
export function reachedShare({ range, reached }: Pick<Sweep, 'range' | 'reached'>): number | null {
  if (reached === null || range.from === null || range.to === null) return null
  const from = Date.parse(range.from)
  const share = (Date.parse(reached) - from) / (Date.parse(range.to) - from)
  return Number.isFinite(share) ? Math.max(0, Math.min(1, share)) : null
}

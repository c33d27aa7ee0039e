import type { DocumentClass, ReconciliationSummary } from '#contract/reconcile.ts'
import type { CoverageSpan } from '#contract/status.ts'
import { instantOf } from '#core/time/zone.ts'

export const LAYERS = [
  'matched',
  'recovered',
  'others',
  'webhookOnly',
  'cannotTell',
  'differs',
  'missing',
] as const
export type Layer = (typeof LAYERS)[number]

const LAYER_OF: Readonly<Record<DocumentClass, Layer>> = {
  matched: 'matched',
  missing: 'missing',
  differs: 'differs',
  'webhook-only': 'webhookOnly',
  'not-yet-due': 'others',
  'date-unknown': 'others',
  'not-subscribed': 'others',
  'cannot-tell': 'cannotTell',
  recovered: 'recovered',
}
const DAY_MS = 86_400_000

export interface DayBar {
  readonly day: string
  /** Milliseconds since the epoch at which the day begins and ends in the connection's zone. */
  readonly from: number
  readonly to: number
  readonly total: number
  readonly layers: Readonly<Record<Layer, number>>
}

/** One bar per day from first to last, also for days without documents. @param zone IANA name */
export function dayBars(days: ReconciliationSummary['days'], zone: string): readonly DayBar[] {
  const first = days[0]
  const last = days.at(-1)
  if (!first || !last) return []
  const byDay = new Map(days.map(({ day, counts }) => [day, counts]))
  const bars: DayBar[] = []
  const end = Date.parse(`${last.day}T00:00:00Z`)
  for (let at = Date.parse(`${first.day}T00:00:00Z`); at <= end; at += DAY_MS) {
    const day = new Date(at).toISOString().slice(0, 10)
    const layers = Object.fromEntries(LAYERS.map((layer) => [layer, 0])) as Record<Layer, number>
    for (const [name, count] of Object.entries(byDay.get(day) ?? {}))
      layers[LAYER_OF[name as DocumentClass]] += count
    const total = LAYERS.reduce((sum, layer) => sum + layers[layer], 0)
    bars.push({ day, from: instantOf(zone, at), to: instantOf(zone, at + DAY_MS), total, layers })
  }
  return bars
}

/** Share of a day in which the receiver was not listening. Time without a span counts as not listening. @param now time after it is excluded */
export function notListening(
  bar: Pick<DayBar, 'from' | 'to'>,
  spans: readonly CoverageSpan[],
  now: number,
): number {
  const end = Math.min(bar.to, now)
  if (end <= bar.from) return 0
  const listened = spans.reduce(
    (sum, { state, from, to }) =>
      state === 'listening' ? sum + Math.max(0, Math.min(to, end) - Math.max(from, bar.from)) : sum,
    0,
  )
  return Math.max(0, Math.min(1, 1 - listened / (end - bar.from)))
}

/** Rounds a share to whole percent; only 0 gives 0, and only 1 gives 100. */
export function wholePercent(share: number): number {
  if (share <= 0 || share >= 1) return share <= 0 ? 0 : 100
  return Math.min(99, Math.max(1, Math.round(share * 100)))
}

import { GROUPS } from '#catalog/kinds.ts'
import type { CoverageSpan } from '#contract/status.ts'
import type { Timeline, TimelineMark, TimelineParams } from '#contract/timeline.ts'
import { VERDICTS } from '#contract/values.ts'
import type { FakeStore } from './store.ts'

const VERDICT_KEYS: readonly string[] = [...VERDICTS, 'unjudged']
const GROUP_KEYS: readonly string[] = [...GROUPS.map(({ slug }) => slug), 'none']
/** The newest that are looked at: a million bodies are not made for a picture. */
const COUNTED = 20_000

/** Counts of the fake store, one by one. */
export function fakeTimeline(
  store: FakeStore,
  { from, to, bucketMs, by, filter }: TimelineParams,
  off: readonly CoverageSpan[],
  marks: readonly TimelineMark[],
): Timeline {
  const keys = by === 'verdict' ? VERDICT_KEYS : GROUP_KEYS
  const bars = new Map<number, number[]>()
  const rows = store.page({ filter, from: 'newest', limit: COUNTED }).rows
  for (const { receivedAt, verdict, group } of rows) {
    const at = receivedAt / 1_000
    if (at < from || at >= to) continue
    const begin = from + Math.floor((at - from) / bucketMs) * bucketMs
    const counts = bars.get(begin) ?? keys.map(() => 0)
    const key = keys.indexOf(by === 'verdict' ? (verdict ?? 'unjudged') : (group ?? 'none'))
    counts[key] = (counts[key] ?? 0) + 1
    bars.set(begin, counts)
  }
  const first = store.count > 0 ? store.row(0).receivedAt / 1_000 : null
  const last = store.count > 0 ? store.row(store.count - 1).receivedAt / 1_000 : null
  return {
    from,
    to,
    bucketMs,
    keys,
    buckets: [...bars].sort(([a], [b]) => a - b).map(([at, counts]) => ({ at, counts })),
    exact: true,
    coverage: covered(from, to, off),
    marks: marks.filter(({ at }) => at >= from && at < to),
    stored: first === null || last === null ? null : { from: first, to: last },
  }
}

/** Listening, but for the stretches given, in order. */
function covered(from: number, to: number, off: readonly CoverageSpan[]): CoverageSpan[] {
  const spans: CoverageSpan[] = []
  let at = from
  for (const gap of off) {
    if (gap.to <= from || gap.from >= to) continue
    const begin = Math.max(from, gap.from)
    if (begin > at) spans.push({ state: 'listening', from: at, to: begin })
    at = Math.min(to, gap.to)
    spans.push({ state: gap.state, from: begin, to: at })
  }
  return at < to ? [...spans, { state: 'listening', from: at, to }] : spans
}

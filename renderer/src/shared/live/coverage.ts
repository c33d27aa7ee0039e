import type { CoverageSpan, CoverageState } from '#contract/status.ts'

/** A time range in which the receiver was not listening; adjacent spans are merged. Milliseconds since the epoch. */
export interface Gap {
  readonly from: number
  readonly to: number
  /** The merged spans with their causes, in order. */
  readonly spans: readonly (CoverageSpan & { readonly state: Exclude<CoverageState, 'listening'> })[]
}

/** Shorter gaps are start-up moments, too short for a sweep to find a loss. */
const SHORTEST_MS = 1_000

/** Ranges in which the receiver was not listening. Time without a span is unknown, and so no gap. */
export function gapsOf(spans: readonly CoverageSpan[]): readonly Gap[] {
  const gaps: Gap[] = []
  for (const { state, from, to } of spans) {
    if (state === 'listening') continue
    const joined = gaps.at(-1)?.to === from ? gaps.pop() : undefined
    gaps.push({ from: joined?.from ?? from, to, spans: [...(joined?.spans ?? []), { state, from, to }] })
  }
  return gaps.filter(({ from, to }) => to - from >= SHORTEST_MS)
}

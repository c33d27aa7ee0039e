import type { CoverageSpan, CoverageState } from '#contract/status.ts'

/** Time in which nothing could arrive; stretches that follow each other are one. Milliseconds since the epoch. */
export interface Gap {
  readonly from: number
  readonly to: number
  /** Why, in order. */
  readonly spans: readonly (CoverageSpan & { readonly state: Exclude<CoverageState, 'listening'> })[]
}

/** Shorter ones are the moments of a start, in which nothing is lost that a sweep would find. */
const SHORTEST_MS = 1_000

/** When the receiver was not listening. What no span tells is not known, and so is no gap. */
export function gapsOf(spans: readonly CoverageSpan[]): readonly Gap[] {
  const gaps: Gap[] = []
  for (const { state, from, to } of spans) {
    if (state === 'listening') continue
    const joined = gaps.at(-1)?.to === from ? gaps.pop() : undefined
    gaps.push({ from: joined?.from ?? from, to, spans: [...(joined?.spans ?? []), { state, from, to }] })
  }
  return gaps.filter(({ from, to }) => to - from >= SHORTEST_MS)
}

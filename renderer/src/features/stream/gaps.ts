import type { CoverageSpan, CoverageState } from '#contract/status.ts'

/** Time in which nothing could arrive; stretches that follow each other are one. */
export interface Gap {
  readonly from: number
  readonly to: number
  /** Why, in order, each once. */
  readonly states: readonly Exclude<CoverageState, 'listening'>[]
}

/** Shorter ones are the moments of a start, in which nothing is lost that a sweep would find. */
const SHORTEST_MS = 1_000

/** When the receiver was not listening. What no span tells is not known, and so is no gap. */
export function gapsOf(spans: readonly CoverageSpan[]): readonly Gap[] {
  const gaps: Gap[] = []
  for (const { state, from, to } of spans) {
    if (state === 'listening') continue
    const last = gaps.at(-1)
    if (last && last.to === from) {
      const states = last.states.includes(state) ? last.states : [...last.states, state]
      gaps[gaps.length - 1] = { from: last.from, to, states }
    } else gaps.push({ from, to, states: [state] })
  }
  return gaps.filter(({ from, to }) => to - from >= SHORTEST_MS)
}

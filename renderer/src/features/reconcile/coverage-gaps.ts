import type { CoverageSpan, CoverageState } from '#contract/status.ts'
import { zonedText } from '#core/time/zone.ts'
import type { RangeDraft } from './range.ts'

/** A stretch in which the receiver did not listen; milliseconds since the epoch. */
export interface Gap {
  readonly from: number
  readonly to: number
}
export interface KnownGap extends Gap {
  readonly state: CoverageState
  /** It began before what was asked for, or goes on. */
  readonly openStart: boolean
  readonly openEnd: boolean
}

/** Restarts and the like are over before anybody sweeps for them. */
const SHORTEST_MS = 1_000
/** An event is late when it arrives more than five minutes after its Timestamp (readings, Delivery). */
const MARGIN_MS = 5 * 60_000

/** What was not listening, newest first; stretches that follow each other are one. @param asked what the spans were asked for */
export function gapsOf(spans: readonly CoverageSpan[], asked: Gap): readonly KnownGap[] {
  const gaps: (KnownGap & { readonly longest: number })[] = []
  for (const { state, from, to } of spans) {
    if (state === 'listening') continue
    const last = gaps.at(-1)
    const joined = last?.to === from ? gaps.pop() : undefined
    const longest = Math.max(joined?.longest ?? 0, to - from)
    gaps.push({
      state: joined && longest === joined.longest ? joined.state : state,
      from: joined?.from ?? from,
      to,
      longest,
      openStart: (joined?.from ?? from) <= asked.from,
      openEnd: to >= asked.to,
    })
  }
  return gaps
    .filter(({ from, to }) => to - from >= SHORTEST_MS)
    .map(({ longest: _, ...gap }) => gap)
    .reverse()
}

/** Whole days, five minutes on both sides: a range goes by issue date, whose time of day is not shown (readings, Reconciling). */
export function gapRange({ from, to }: Gap, zone: string): Pick<RangeDraft, 'from' | 'to'> {
  const day = (at: number) => zonedText(zone, at * 1_000).slice(0, 10)
  return { from: day(from - MARGIN_MS), to: day(to + MARGIN_MS) }
}

/** `gap/1790000000000-1790000360000`, as others link to a gap. */
export function gapOfSection(section: string | null): Gap | null {
  const [, from, to] = /^gap\/(\d{1,15})-(\d{1,15})$/.exec(section ?? '') ?? []
  if (from === undefined || to === undefined || Number(to) < Number(from)) return null
  return { from: Number(from), to: Number(to) }
}

import type { CoverageSpan } from '#contract/status.ts'
import { zonedText } from '#core/time/zone.ts'
import { type Gap as CoverageGap, gapsOf } from '@/shared/live/coverage.ts'
import type { RangeDraft } from './range.ts'

/** Milliseconds since the epoch. */
export interface Gap extends Pick<CoverageGap, 'from' | 'to'> {
  /** Connection of the sweep that the user came from; absent: any. */
  readonly connection?: string | undefined
}

/** An event is late when it arrives more than five minutes after its Timestamp (readings, Delivery). */
const MARGIN_MS = 5 * 60_000

/** Gaps in coverage, newest first, each with its longest state. @param asked range of the spans; a gap at its bounds may extend beyond it */
export const knownGaps = (spans: readonly CoverageSpan[], asked: Gap) =>
  gapsOf(spans)
    .map(({ from, to, spans }) => ({
      from,
      to,
      openStart: from <= asked.from,
      openEnd: to >= asked.to,
      state: spans.toSorted((a, b) => b.to - b.from - (a.to - a.from))[0]?.state ?? 'off',
    }))
    .reverse()

/** Whole days plus five minutes on both sides, because a range filters by issue date without a time of day (readings, Reconciling). */
export function gapRange({ from, to }: Gap, zone: string): Pick<RangeDraft, 'from' | 'to'> {
  const day = (at: number) => zonedText(zone, at * 1_000).slice(0, 10)
  return { from: day(from - MARGIN_MS), to: day(to + MARGIN_MS) }
}

/** Address section of exactly these days, without the margin that `gapRange` adds. */
export const daysSection = ({ from, to }: Gap, connection: string): string =>
  `gap/${from + MARGIN_MS}-${to - MARGIN_MS - 1}/${connection}`

/** Parses an address section such as `gap/1790000000000-1790000360000`; a connection may follow. */
export function gapOfSection(section: string | null): Gap | null {
  const [, from, to, connection] = /^gap\/(\d{1,15})-(\d{1,15})(?:\/(.+))?$/.exec(section ?? '') ?? []
  if (from === undefined || to === undefined || Number(to) < Number(from)) return null
  return { from: Number(from), to: Number(to), connection }
}

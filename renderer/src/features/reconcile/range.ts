import { PAGE_SIZE } from '#catalog/service.ts'
import type { Connection } from '#contract/connection.ts'
import { AcuseError } from '#contract/errors.ts'
import type { RouteChoice, Sweep } from '#contract/reconcile.ts'
import type { CoverageSpan } from '#contract/status.ts'
import { resolveRange } from '#core/reconcile/range.ts'
import { zonedText } from '#core/time/zone.ts'
import type { Form } from '@/shared/forms/form.ts'
import { type Gap as CoverageGap, gapsOf } from '@/shared/live/coverage.ts'

export const PRESETS = ['today', 'yesterday', 'thisMonth', 'lastMonth', 'sinceLast'] as const
export type Preset = (typeof PRESETS)[number]

/** A range as typed. */
interface RangeDraft {
  readonly connection: string
  readonly route: RouteChoice
  /** Date, or date-time with offset. Empty: no bound, which treasury-sync allows. */
  readonly from: string
  readonly to: string
  readonly documentType: number | null
  readonly pageSize: number | null
}

export type Ends = Pick<RangeDraft, 'from' | 'to'>

const DAY_MS = 86_400_000

/** Today's date in a zone, as `2026-11-21`. @param now milliseconds since the epoch */
const dayIn = (zone: string, now: number): string => zonedText(zone, now * 1_000).slice(0, 10)
const shifted = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

/** Range of a preset in the connection's zone; null when it does not apply. @param last previous sweep; `sinceLast` starts at its end */
export function presetRange(
  preset: Preset,
  zone: string,
  now: number,
  last: Pick<Sweep, 'range'> | null,
): Ends | null {
  const today = dayIn(zone, now)
  const first = `${today.slice(0, 8)}01`
  const monthEnd = shifted(first, -1)
  const end = last?.range.to
  const ranges: Readonly<Record<Preset, Ends | null>> = {
    today: { from: today, to: today },
    yesterday: { from: shifted(today, -1), to: shifted(today, -1) },
    thisMonth: { from: first, to: today },
    lastMonth: { from: `${monthEnd.slice(0, 8)}01`, to: monthEnd },
    // A sweep of a whole day can end in the future: start again at the beginning of that day.
    sinceLast: end ? { from: Date.parse(end) < now ? end : today, to: zonedText(zone, now * 1_000) } : null,
  }
  return ranges[preset]
}

/** Whether the host would refuse the range. */
function isRefused(from: string | null, to: string | null, zone: string): boolean {
  try {
    resolveRange({ route: 'treasury', from, to, documentTypeId: null, pageSize: 1 }, zone)
    return false
  } catch (error) {
    if (error instanceof AcuseError) return true
    throw error
  }
}

/** The form of a sweep's connection and range. @param connections the first one is the default @param now milliseconds since the epoch */
export function rangeForm(
  connections: readonly Pick<Connection, 'name' | 'zone'>[],
  now: number,
): Form<'sweeps.start', RangeDraft> {
  const zoneOf = (name: string) => connections.find((one) => one.name === name)?.zone ?? 'UTC'
  const connection = connections[0]?.name ?? ''
  const ends = presetRange('thisMonth', zoneOf(connection), now, null) ?? { from: '', to: '' }
  const end = (text: string): string | null => text.trim() || null
  return {
    command: 'sweeps.start',
    first: { connection, route: 'accounting', ...ends, documentType: null, pageSize: PAGE_SIZE.default },
    params: ({ connection: name, route, from, to, documentType, pageSize }) => ({
      connection: name,
      range: { route, from: end(from), to: end(to), documentTypeId: documentType, pageSize },
    }),
    places: () => ({
      'range.documentTypeId': ['documentType', 'type'],
      'range.pageSize': ['pageSize', 'size'],
      'range.from': ['from', 'date'],
      'range.to': ['to', 'date'],
    }),
    *own({ connection: name, route, from: first, to: last, pageSize }) {
      const zone = zoneOf(name)
      const [from, to] = [end(first), end(last)]
      const wrong = { from: isRefused(from, null, zone), to: isRefused(null, to, zone) }
      for (const [field, text] of [['from', from] as const, ['to', to] as const])
        if (text === null && route !== 'treasury') yield [field, 'needed']
        else if (wrong[field]) yield [field, 'date']
      if (from && to && !wrong.from && !wrong.to && isRefused(from, to, zone)) yield ['to', 'order']
      if (pageSize !== null && pageSize > PAGE_SIZE.maximum) yield ['pageSize', 'size']
    },
  }
}

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

import { DATE_UNITS, dateTimeText, readWrittenDate, type WrittenDate } from '#catalog/date-time.ts'

const DAY_MS = 86_400_000
const formats = new Map<string, Intl.DateTimeFormat>()

/** Offset in milliseconds east of UTC. @param at milliseconds since the epoch */
export function offsetAt(zone: string, at: number): number {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      era: 'short',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formats.set(zone, format)
  }
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
  const number = (name: string): number => Number(parts[name])
  const year = parts.era === 'BC' ? 1 - number('year') : number('year')
  const local = new Date(0)
  local.setUTCFullYear(year, number('month') - 1, number('day'))
  local.setUTCHours(number('hour'), number('minute'), number('second'))
  return local.getTime() - Math.floor(at / 1_000) * 1_000
}

/**
 * Converts a local time of a zone to an instant. When clocks go back and show a time twice, the first one counts; when they skip a time, it
 * moves by the length of the skip. So a day need not start at 00:00.
 * @param local milliseconds from the epoch to that time in UTC
 * @returns milliseconds since the epoch
 */
export function instantOf(zone: string, local: number): number {
  const before = offsetAt(zone, local - DAY_MS)
  const after = offsetAt(zone, local + DAY_MS)
  const shown = [local - before, local - after].filter((at) => at + offsetAt(zone, at) === local)
  return shown.length > 0 ? Math.min(...shown) : local - before
}

/** 0 is Monday, as in WEEKDAYS. The epoch was a Thursday. @param day milliseconds since the epoch, of a midnight in UTC */
export const weekdayOf = (day: number): number => (((day / DAY_MS + 3) % 7) + 7) % 7

/** Cached per quarter of an hour: every present zone changes its offset at quarters only, and dates on a page are close together. */
const QUARTER_US = 900_000_000
const QUARTERS_KEPT = 10_000

function byQuarter(read: (zone: string, at: number) => number): (zone: string, at: number) => number {
  const zones = new Map<string, Map<number, number>>()
  return (zone, at) => {
    let known = zones.get(zone)
    if (!known || known.size >= QUARTERS_KEPT) {
      known = new Map()
      zones.set(zone, known)
    }
    const quarter = Math.floor(at / QUARTER_US)
    let offset = known.get(quarter)
    if (offset === undefined) {
      offset = read(zone, (quarter * QUARTER_US) / 1_000)
      known.set(quarter, offset)
    }
    return offset
  }
}
const offsetNear = byQuarter(offsetAt)
const offsetOfLocal = byQuarter((zone, local) => local - instantOf(zone, local))

export const zonedText = (zone: string, instant: number): string =>
  dateTimeText(instant, Math.round(offsetAt(zone, Math.floor(instant / 1_000)) / 60_000))

interface DateReading {
  /** Microseconds since the epoch: the first instant that the text can mean. */
  readonly instant: number
  /** Precision in microseconds: 1,000,000 for a time to the second, a day for a date without time. */
  readonly unit: number
  /** A full date-time with offset, which a request can use unchanged. */
  readonly full: boolean
}

/** Reads a date of the service (readings, accounting-sync): with offset, without one in the connection's zone, or a day. */
export function readDate(text: string, zone: string): DateReading | null {
  const date = readWrittenDate(text)
  if (!date) return null
  const { micros, local, unit } = date
  const instant = local ? micros - offsetOfLocal(zone, micros) * 1_000 : micros
  return { instant, unit, full: !local && text.includes('T') }
}

const [DAY] = DATE_UNITS

/**
 * Whether two dates are equal when truncated or rounded to the coarser precision. A date without offset is in the zone (readings,
 * accounting-sync, "Representation is not a difference").
 */
export function sameDate(a: WrittenDate, b: WrittenDate, zone: string): boolean {
  const unit = Math.max(a.unit, b.unit)
  const shown = (date: WrittenDate) =>
    a.local !== b.local && !date.local ? date.micros + offsetNear(zone, date.micros) * 1_000 : date.micros
  const [x, y] = [shown(a), shown(b)]
  if (Math.floor(x / unit) === Math.floor(y / unit)) return true
  return unit < DAY && Math.abs(x - y) <= unit / 2
}

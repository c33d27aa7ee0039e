import { instantText } from './instant-text.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const formats = new Map<string, Intl.DateTimeFormat>()

/** Offset of a time zone at an instant, in milliseconds east of UTC. @param zone IANA name @param at milliseconds since the epoch */
export function offsetAt(zone: string, at: number): number {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      ...{ year: 'numeric', month: 'numeric', day: 'numeric', era: 'short' },
      ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
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
 * The first instant of a day in a time zone, milliseconds since the epoch. Where clocks go forward at midnight, that is not 00:00.
 * @param day milliseconds of 00:00 of that date in UTC
 */
export function startOfDay(zone: string, day: number): number {
  const before = offsetAt(zone, day - DAY_MS)
  const after = offsetAt(zone, day + DAY_MS)
  const candidates = [day - before, day - after].filter((at) => at + offsetAt(zone, at) === day)
  return candidates.length > 0 ? Math.min(...candidates) : day - before
}

/** An instant as a full date-time with the zone's offset at that time. @param instant microseconds since the epoch */
export function zonedText(zone: string, instant: number): string {
  const minutes = Math.round(offsetAt(zone, Math.floor(instant / 1_000)) / 60_000)
  const away = Math.abs(minutes)
  const two = (value: number): string => String(value).padStart(2, '0')
  return instantText(instant, `${minutes < 0 ? '-' : '+'}${two(Math.floor(away / 60))}:${two(away % 60)}`)
}

/** Offsets change at full quarters of an hour, and the dates of a page lie close together. */
const QUARTER_US = 900_000_000
let latest = { zone: '', quarter: Number.NaN, offset: 0 }

/**
 * The instant at which a time zone's clocks show a local time; the earlier of two where they are set back.
 * @param local microseconds from the epoch to that time in UTC @returns microseconds since the epoch
 */
export function localInstant(zone: string, local: number): number {
  const quarter = Math.floor(local / QUARTER_US)
  if (latest.zone !== zone || latest.quarter !== quarter) {
    const at = (quarter * QUARTER_US) / 1_000
    latest = { zone, quarter, offset: at - startOfDay(zone, at) }
  }
  return local - latest.offset * 1_000
}

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

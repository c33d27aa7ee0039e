export type TimestampReading =
  /** `instant` in microseconds since the epoch; `zone` tells how the offset was written. */
  | { readonly instant: number; readonly zone: 'offset' | 'utc' }
  | { readonly problem: 'no-date-time' | 'no-offset' }

const NO_DATE_TIME: TimestampReading = { problem: 'no-date-time' }
const LONGEST = 100

const DATES = [
  { pattern: /^(\d{4})-(\d\d)-(\d\d)$/, extended: true, read: calendar },
  { pattern: /^(\d{4})(\d\d)(\d\d)$/, extended: false, read: calendar },
  { pattern: /^(\d{4})-(\d{3})$/, extended: true, read: ordinal },
  { pattern: /^(\d{4})(\d{3})$/, extended: false, read: ordinal },
  { pattern: /^(\d{4})-W(\d\d)-([1-7])$/, extended: true, read: week },
  { pattern: /^(\d{4})W(\d\d)([1-7])$/, extended: false, read: week },
] as const
const EXTENDED_TIME = /^(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(Z|[+-]\d\d(?::?\d\d)?)?$/
const BASIC_TIME = /^(\d\d)(\d\d)(?:(\d\d)(?:[.,](\d+))?)?(Z|[+-]\d\d(?::?\d\d)?)?$/

/** Days from 1970-01-01 in the proleptic Gregorian calendar, which ISO 8601 uses for every year. */
function daysTo(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year
  const era = Math.floor(y / 400)
  const inEra = y - era * 400
  const inYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  return era * 146_097 + inEra * 365 + Math.floor(inEra / 4) - Math.floor(inEra / 100) + inYear - 719_468
}

function calendar(year: number, month: number, day: number): number | undefined {
  if (month < 1 || month > 12 || day < 1) return undefined
  const first = daysTo(year, month, 1)
  const next = month === 12 ? daysTo(year + 1, 1, 1) : daysTo(year, month + 1, 1)
  return first + day - 1 < next ? first + day - 1 : undefined
}

function ordinal(year: number, day: number): number | undefined {
  const first = daysTo(year, 1, 1)
  return day >= 1 && first + day - 1 < daysTo(year + 1, 1, 1) ? first + day - 1 : undefined
}

/** Monday of week 1: the week that holds 4 January. */
function firstMonday(year: number): number {
  const fourth = daysTo(year, 1, 4)
  return fourth - ((((fourth + 3) % 7) + 7) % 7)
}

function week(year: number, number: number, day: number): number | undefined {
  const monday = firstMonday(year) + (number - 1) * 7
  return number >= 1 && monday < firstMonday(year + 1) ? monday + day - 1 : undefined
}

/** Reads an ISO 8601 date: calendar, ordinal or week, with or without separators. @returns days from the epoch; undefined for no date */
export function readDate(text: string): { days: number; extended: boolean } | undefined {
  for (const { pattern, extended, read } of DATES) {
    const parts = pattern.exec(text)
    if (!parts) continue
    const days = read(Number(parts[1]), Number(parts[2]), Number(parts[3]))
    return days === undefined ? undefined : { days, extended }
  }
  return undefined
}

/** Minutes east of UTC, undefined when out of range. */
function readOffset(text: string): number | undefined {
  if (text === 'Z') return 0
  const digits = text.slice(1).replace(':', '').padEnd(4, '0')
  const hours = Number(digits.slice(0, 2))
  const minutes = Number(digits.slice(2))
  if (hours > 23 || minutes > 59) return undefined
  return (text[0] === '-' ? -1 : 1) * (hours * 60 + minutes)
}

/** A leap second is inserted as 23:59:60 UTC, and only at the end of a month. */
const isLeapSecond = (secondsAfter: number): boolean =>
  secondsAfter % 86_400 === 0 && new Date(secondsAfter * 1000).getUTCDate() === 1

/**
 * Reads an ISO 8601 date-time with UTC offset (readings, The envelope). Does not use Date.parse, which accepts much that is not ISO 8601.
 * Accepts calendar, ordinal and week dates of four-digit years, with or without separators (time and date alike); a time of at least hours
 * and minutes; a decimal fraction of the second after a point or comma, truncated to microseconds; 24:00 as the end of the day; second 60
 * where a leap second is possible, read as the next second; an offset in hours or hours and minutes. `-00:00` means UTC, as `Z` does (RFC
 * 3339). Rejects a blank or lower-case `t` and `z`, reduced dates and expanded years. Clamps instants beyond ±2^53 µs (years 1684 to 2255),
 * so that they still compare correctly as doubles.
 */
export function readTimestamp(text: string): TimestampReading {
  const clock = readClock(text)
  if (!clock) return NO_DATE_TIME
  const { seconds: local, second, micros, zone } = clock
  if (zone === undefined) return { problem: 'no-offset' }
  const offset = readOffset(zone)
  if (offset === undefined) return NO_DATE_TIME
  const seconds = local - offset * 60
  if (second === 60 && !isLeapSecond(seconds)) return NO_DATE_TIME
  return {
    instant: clamped(seconds * 1_000_000 + micros),
    zone: zone === 'Z' || /^-00(?::?00)?$/.test(zone) ? 'utc' : 'offset',
  }
}

/** Like `readTimestamp`; without an offset it uses `zone` (minutes east of UTC). @returns whole seconds and the fraction's digits */
export function readDateTime(text: string, zone: number): { seconds: number; fraction: string } | undefined {
  const clock = readClock(text)
  const offset = clock?.zone === undefined ? zone : readOffset(clock.zone)
  if (!clock || offset === undefined) return undefined
  const seconds = clock.seconds - offset * 60
  return clock.second === 60 && !isLeapSecond(seconds) ? undefined : { seconds, fraction: clock.fraction }
}

interface Clock {
  /** Seconds since the epoch as if the clock showed UTC. */
  readonly seconds: number
  readonly second: number
  readonly micros: number
  /** Digits of the second's fraction as written. */
  readonly fraction: string
  readonly toTheMinute: boolean
  readonly zone: string | undefined
}

function readClock(text: string): Clock | undefined {
  if (text.length > LONGEST) return undefined
  const split = text.indexOf('T')
  if (split < 0) return undefined
  const date = readDate(text.slice(0, split))
  if (!date) return undefined
  const parts = (date.extended ? EXTENDED_TIME : BASIC_TIME).exec(text.slice(split + 1))
  if (!parts) return undefined
  const [hour, minute, second] = [Number(parts[1]), Number(parts[2]), Number(parts[3] ?? '0')]
  const fraction = parts[4] ?? ''
  const endOfDay = hour === 24 && minute === 0 && second === 0 && !/[1-9]/.test(fraction)
  if ((hour > 23 && !endOfDay) || minute > 59 || second > 60) return undefined
  return {
    seconds: date.days * 86_400 + hour * 3600 + minute * 60 + second,
    second,
    micros: Number(fraction.slice(0, 6).padEnd(6, '0')),
    fraction,
    toTheMinute: parts[3] === undefined,
    zone: parts[5],
  }
}

const clamped = (instant: number): number =>
  Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, instant))

/** A date as the service may write it in a sync item: with or without offset, in any precision. */
export interface WrittenDate {
  /** Microseconds since the epoch; for a local date, as if its clock showed UTC. */
  readonly micros: number
  /** The date has no offset, so a time zone is needed to turn it into an instant. */
  readonly local: boolean
  /** Precision in microseconds, one of DATE_UNITS; trailing zeros of a fraction do not count as precision. */
  readonly unit: number
}

/** Microseconds in a day, a minute, a second, and each decimal place of a second. */
export const DATE_UNITS = [86_400_000_000, 60_000_000, 1_000_000, 100_000, 10_000, 1_000, 100, 10, 1] as const
const [DAY, MINUTE] = DATE_UNITS
const DAY_ONLY = /^(\d{4})-(\d\d)-(\d\d)$/

/** Reads a date of a sync item (readings, accounting-sync): as `readTimestamp`, or without offset, with a blank for the T, or a day. */
export function readWrittenDate(text: string): WrittenDate | undefined {
  const day = DAY_ONLY.exec(text)
  if (day) {
    const days = calendar(Number(day[1]), Number(day[2]), Number(day[3]))
    return days === undefined ? undefined : { micros: clamped(days * DAY), local: true, unit: DAY }
  }
  const clock = readClock(text[10] === ' ' ? `${text.slice(0, 10)}T${text.slice(11)}` : text)
  if (!clock) return undefined
  const { seconds, micros, fraction, toTheMinute, zone } = clock
  const offset = zone === undefined ? 0 : readOffset(zone)
  if (offset === undefined) return undefined
  const places = fraction.slice(0, 6).replace(/0+$/, '').length
  return {
    micros: clamped((seconds - offset * 60) * 1_000_000 + micros),
    local: zone === undefined,
    unit: toTheMinute ? MINUTE : 10 ** (6 - places),
  }
}

const two = (value: number): string => String(value).padStart(2, '0')

/** Formats an instant as ISO 8601 with an offset, never `Z`. @param east minutes @param digits of the fraction; default: as needed */
export function dateTimeText(instant: number, east: number, digits?: 3): string {
  const micros = ((instant % 1_000_000) + 1_000_000) % 1_000_000
  const shown = String(micros).padStart(6, '0').slice(0, digits)
  const fraction = digits === undefined ? shown.replace(/^000000$|000$/, '') : shown
  const local = new Date((instant - micros) / 1_000 + east * 60_000).toISOString().slice(0, 19)
  const away = Math.abs(east)
  const zone = `${east < 0 ? '-' : '+'}${two(Math.floor(away / 60))}:${two(away % 60)}`
  return `${local}${fraction === '' ? '' : '.'}${fraction}${zone}`
}

/** Formats an instant with the offset of another date-time; UTC becomes `+00:00`. @param instant microseconds since the epoch */
export const dateTimeLike = (instant: number, like: string): string =>
  dateTimeText(instant, readOffset(/(?:Z|[+-]\d\d(?::?\d\d)?)$/.exec(like)?.[0] ?? 'Z') ?? 0)

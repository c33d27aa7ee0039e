import { type Amount, COMPARISONS, type Range } from './tree.ts'

/** Units in bytes or microseconds; a kB has 1000 bytes, as in the window. */
const UNITS: Readonly<Record<Amount, Readonly<Record<string, number>>>> = {
  id: { '': 1 },
  status: { '': 1 },
  answer: { '': 1 },
  size: { '': 1, b: 1, k: 1e3, kb: 1e3, kib: 1024, m: 1e6, mb: 1e6, mib: 1_048_576, g: 1e9, gb: 1e9 },
  took: { us: 1, µs: 1, ms: 1e3, '': 1e3, s: 1e6, m: 60e6, min: 60e6 },
}
const NUMBER = /^(\d{1,15})(?:\.(\d{1,6}))?([a-zµ]*)$/

/** Reads a number with its unit: its value, and the smallest step that its digits express. */
function read(of: Amount, text: string): { readonly value: number; readonly step: number } | undefined {
  const found = NUMBER.exec(text)
  if (!found) return undefined
  const unit = UNITS[of][found[3] ?? '']
  if (unit === undefined) return undefined
  const decimals = found[2] ?? ''
  const value = Number(`${found[1]}.${decimals}0`) * unit
  const step = Math.max(1, Math.floor(unit / 10 ** decimals.length))
  return value <= Number.MAX_SAFE_INTEGER ? { value, step } : undefined
}

/** Reads `404`, `4xx`, `>10kb`, `1kb..2kb`, `..50ms`; `3ms` means 3 up to but not including 4. @returns undefined for anything else */
export function rangeOf(of: Amount, typed: string): Range | 'reversed' | undefined {
  const text = typed.toLowerCase()
  const hundreds = of === 'answer' || of === 'status' ? /^([1-9])xx$/.exec(text) : null
  if (hundreds) return { from: Number(hundreds[1]) * 100, to: Number(hundreds[1]) * 100 + 99 }
  const ends = text.split('..').map((end) => read(of, end)?.value)
  const [low, high] = ends.length === 2 ? ends : []
  if (low !== undefined && high !== undefined && low > high) return 'reversed'
  const range = compared(text, (end) => {
    const point = read(of, end)?.value
    return point === undefined ? undefined : { from: Math.ceil(point), to: Math.floor(point) }
  })
  if (range !== null) return range
  const one = read(of, text)
  return one && { from: Math.ceil(one.value), to: Math.ceil(one.value + one.step) - 1 }
}

/** Reads `>a`, `>=a`, `<a`, `<=a`, `a..b`, `a..` or `..b`. @param read parses one end @returns null when none of these forms is used */
function compared(text: string, read: (end: string) => Range | undefined): Range | null | undefined {
  const sign = COMPARISONS.find((one) => text.startsWith(one))
  if (sign) {
    const one = read(text.slice(sign.length))
    if (!one) return undefined
    if (sign === '>') return one.to === null ? undefined : { from: one.to + 1, to: null }
    if (sign === '<') return one.from === null ? undefined : { from: null, to: one.from - 1 }
    return sign === '>=' ? { from: one.from, to: null } : { from: null, to: one.to }
  }
  const dots = text.indexOf('..')
  if (dots < 0) return null
  const [low, high] = [text.slice(0, dots), text.slice(dots + 2)]
  const from = low === '' ? { from: null } : read(low)
  const to = high === '' ? { to: null } : read(high)
  return from && to && (low !== '' || high !== '') ? { from: from.from, to: to.to } : undefined
}

export const within = ({ from, to }: Range, value: number): boolean =>
  (from === null || value >= from) && (to === null || value <= to)

export interface Moment {
  now(): number
}

/** `2026-11-01`, `2026-11-02T10:00`, optionally with seconds, and with an offset for another zone than the local one. */
const DATE =
  /^(\d{4})-(\d\d)(?:-(\d\d)(?:[t_](\d\d)(?::(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?)?(z|[+-]\d\d:\d\d)?)?)?$/
const AGO = /^last-([1-9]\d{0,4})(m|h|d|w)$/
const MINUTE = 60_000

/** A local time in milliseconds since the epoch. */
const local = (...parts: [number, number, number, number?, number?, number?]): number =>
  new Date(...parts).getTime()
const dayOf = (now: number, shift: number): number => {
  const date = new Date(now)
  return local(date.getFullYear(), date.getMonth(), date.getDate() + shift)
}
/** A range in microseconds, from the start of one millisecond to just before another. */
const span = (from: number | null, before: number | null): Range => ({
  from: from === null ? null : from * 1000,
  to: before === null ? null : before * 1000 - 1,
})

function stretch(text: string): Range | undefined {
  const found = DATE.exec(text)
  if (!found) return undefined
  const part = (at: number, missing: number): number =>
    found[at] === undefined ? missing : Number(found[at])
  const [year, month, day] = [part(1, 1970), part(2, 1), part(3, 1)]
  const [hour, minute, second] = [part(4, 0), part(5, 0), part(6, 0)]
  if (month < 1 || month > 12 || hour > 23 || minute > 59 || second > 59) return undefined
  if (day < 1 || day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return undefined
  const zone = found[8]
  const at = (dd: number, hh: number, mm: number, ss: number, months = 0): number => {
    if (zone === undefined) return local(year, month - 1 + months, dd, hh, mm, ss)
    const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(zone) ?? []
    const offset = sign ? (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1) : 0
    return Date.UTC(year, month - 1 + months, dd, hh, mm, ss) - offset * MINUTE
  }
  const from = at(day, hour, minute, second)
  if (found[7] !== undefined) {
    const micro = from * 1000 + Number(found[7].padEnd(6, '0'))
    return { from: micro, to: micro + 10 ** (6 - found[7].length) - 1 }
  }
  if (found[6] !== undefined) return span(from, from + 1000)
  if (found[5] !== undefined) return span(from, from + MINUTE)
  if (found[4] !== undefined) return span(from, from + 60 * MINUTE)
  return span(from, found[3] === undefined ? at(1, 0, 0, 0, 1) : at(day + 1, 0, 0, 0))
}

function named(text: string, { now }: Moment): Range | undefined {
  if (text === 'today') return span(dayOf(now(), 0), dayOf(now(), 1))
  if (text === 'yesterday') return span(dayOf(now(), -1), dayOf(now(), 0))
  const ago = AGO.exec(text)
  if (!ago) return stretch(text)
  const count = Number(ago[1])
  if (ago[2] === 'd' || ago[2] === 'w') return span(dayOf(now(), 1 - count * (ago[2] === 'w' ? 7 : 1)), null)
  // Rounded to a minute: with an end that moves at every query, a search could never complete.
  const began = now() - count * MINUTE * (ago[2] === 'h' ? 60 : 1)
  return span(Math.floor(began / MINUTE) * MINUTE, null)
}

/**
 * Reads a date, a time, `today`, `last-7d` (today and the six days before) or `last-2h`; `a..b` from the start of one to the end of the
 * other; `>`, `>=`, `<`, `<=`. Times without an offset are local.
 * @returns undefined for anything else
 */
export function spanOf(typed: string, moment: Moment): Range | undefined {
  const text = typed.toLowerCase()
  const range = compared(text, (end) => named(end, moment))
  return range === null ? named(text, moment) : range
}

/** Whether a fixed range ends before it starts. A range relative to the clock is not reversed, but over, and selects nothing. */
export const isReversedTime = (typed: string, { from, to }: Range): boolean =>
  from !== null && to !== null && from > to && !/today|yesterday|last-/i.test(typed)

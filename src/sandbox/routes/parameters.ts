import { readDate, readDateTime } from '#catalog/date-time.ts'
import { PAGE_SIZE } from '#catalog/service.ts'
import { bad } from '../domain/refusal.ts'

/** A moment of a parameter in milliseconds; items are no finer, but a parameter may be. */
interface Moment {
  readonly from: number
  /** As `from`; for a date without a time the last millisecond of the day. */
  readonly to: number
  readonly rest: string
}

/** Zone of a date or time without an offset, in minutes east of UTC (sandbox choice). */
const ZONE = -240
const DAY_MS = 86_400_000

/** Parses every form that the check of Timestamp accepts. @returns null for other text, and for days and times that do not exist */
export function readMoment(typed: string): Moment | null {
  // RFC 3339 allows lower-case letters: t, z and w.
  const text = typed.toUpperCase()
  const date = readDate(text)
  if (date) {
    const from = date.days * DAY_MS - ZONE * 60_000
    return { from, to: from + DAY_MS - 1, rest: '' }
  }
  const time = readDateTime(text, ZONE)
  if (!time) return null
  const at = time.seconds * 1_000 + Number(time.fraction.slice(0, 3).padEnd(3, '0'))
  const rest = time.fraction.slice(3).replace(/0+$/, '')
  return { from: rest === '' ? at : at + 1, to: at, rest }
}

export function endsBefore(to: Moment, from: Moment): boolean {
  const begin = from.rest === '' ? from.from : from.from - 1
  return to.to < begin || (to.to === begin && to.rest < from.rest)
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Reads query parameters; every method throws a Refusal 400 that names the parameter. */
export class Parameters {
  readonly #query: URLSearchParams

  constructor(url: string) {
    this.#query = new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '')
  }

  moment(name: string): Moment | null {
    const text = this.text(name)
    if (text === null) return null
    const moment = readMoment(text)
    if (moment) return moment
    const hint = text.includes(' ') ? ' A "+" has to be sent as %2B.' : ''
    throw bad('bad-date', `${name} is not an ISO 8601 date or date-time.${hint}`)
  }

  requiredMoment(name: string): Moment {
    const moment = this.moment(name)
    if (moment) return moment
    throw bad('missing-parameter', `${name} is required: an ISO 8601 date or date-time.`)
  }

  uuid(name: string): string | null {
    const text = this.text(name)
    if (text !== null && !UUID.test(text)) throw bad('bad-parameter', `${name} is not a UUID.`)
    return text?.toLowerCase() ?? null
  }

  integer(name: string): number | null {
    const text = this.text(name)
    if (text === null) return null
    if (!/^-?\d{1,15}$/.test(text)) throw bad('bad-parameter', `${name} is not an integer.`)
    return Number(text)
  }

  /** Limits: default 200, maximum 500 (below 1 or above the maximum: 400, sandbox choice). */
  pageSize(): number {
    const size = this.integer('pageSize') ?? PAGE_SIZE.default
    if (size >= 1 && size <= PAGE_SIZE.maximum) return size
    throw bad('bad-page-size', `pageSize must be from 1 to ${PAGE_SIZE.maximum}.`)
  }

  text(name: string): string | null {
    const [value, ...more] = this.#query.getAll(name)
    if (more.length > 0) throw bad('bad-parameter', `${name} is given more than once.`)
    return value ?? null
  }
}

/** Both sync routes: a `to` earlier than `from` gets 400 (Errors). */
export function checkOrder(from: Moment | null, to: Moment | null): void {
  if (from && to && endsBefore(to, from)) throw bad('bad-range', 'to is earlier than from.')
}

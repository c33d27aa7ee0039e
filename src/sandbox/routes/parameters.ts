import { PAGE_SIZE } from '#catalog/service.ts'
import { bad } from '../http/refusal.ts'
import { endsBefore, type Moment, readMoment } from './instants.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Reads the query parameters of a sync route; every method throws a Refusal 400 that names the parameter. */
export class Parameters {
  readonly #query: URLSearchParams

  /** @param url the request target as it came */
  constructor(url: string) {
    this.#query = new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '')
  }

  moment(name: string): Moment | null {
    const text = this.#one(name)
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
    const text = this.#one(name)
    if (text !== null && !UUID.test(text)) throw bad('bad-parameter', `${name} is not a UUID.`)
    return text?.toLowerCase() ?? null
  }

  integer(name: string): number | null {
    const text = this.#one(name)
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

  /** As it came, for a cursor that goes back unchanged. */
  text(name: string): string | null {
    return this.#one(name)
  }

  #one(name: string): string | null {
    const [value, ...more] = this.#query.getAll(name)
    if (more.length > 0) throw bad('bad-parameter', `${name} is given more than once.`)
    return value ?? null
  }
}

/** Both sync routes: a `to` earlier than `from` gets 400 (Errors). */
export function checkOrder(from: Moment | null, to: Moment | null): void {
  if (from && to && endsBefore(to, from)) throw bad('bad-range', 'to is earlier than from.')
}

import { setImmediate as turn } from 'node:timers/promises'
import { Pace, type TimeLimit } from '../body/opened.ts'
import { raw, type Statements, sql } from '../sql/connection.ts'
import { bisect } from '../sql/numbers.ts'
import { Members } from './members.ts'
import type { SetPlan } from './plan.ts'
import { type Counts, nameOf, noCounts } from './totals.ts'

/** Duration of a step, during which other reads wait. */
const PACE = { sliceMs: 12, longestMs: 60 }

interface Found {
  readonly id: number
  readonly verdict: unknown
}

/** A search from one id to another, down or up, for at most `limit` members. */
interface Stretch {
  readonly from: number
  readonly end: number
  readonly limit: number
  readonly down: boolean
}

/** Finds the members of a plan in steps, each over as many ids as fit into its time. */
export class Search {
  readonly #members: Members
  readonly #pace: Pace

  constructor(statements: Statements, timeLimit: TimeLimit, plan: SetPlan) {
    this.#members = new Members(statements, plan.rows)
    this.#pace = new Pace(timeLimit, PACE)
  }

  /** Searches from an id up or down, at most to `end`. @returns members in the direction of the search, and the last id searched */
  step(from: number, end: number, down: boolean) {
    return this.#pace.timed((window) => {
      const to = down ? Math.max(end, from - window + 1) : Math.min(end, from + window - 1)
      const found = this.#between(Math.min(from, to), Math.max(from, to))
      return { found: down ? found.toReversed() : found, to }
    })
  }

  async stream({ from, end, limit, down }: Stretch): Promise<number[]> {
    const ids: number[] = []
    for (let next = from; ids.length < limit && (down ? next >= end : next <= end); ) {
      const { found, to } = this.step(next, end, down)
      for (const { id } of found) ids.push(id)
      next = down ? to - 1 : to + 1
      await turn()
    }
    return ids.slice(0, limit)
  }

  #between(low: number, high: number): Found[] {
    const id = raw(this.#members.source.id)
    return this.#members
      .all(sql`${id} AS id, a.verdict AS verdict`, low, high, sql`ORDER BY ${id}`)
      .map((row) => ({ id: Number(row.id), verdict: row.verdict }))
  }
}

/** Range of ids, up to the start of the search, outside of which there are no members. */
export interface Place {
  readonly lowest: number
  readonly highest: number
}

/** The lowest stored id, and the id up to which membership no longer changes. */
export interface Extent {
  readonly lowest: number
  readonly settled: number
}

/**
 * Members of a filter that no index answers, found in steps: new arrivals first, then from the newest back, so that the first rows
 * appear at once. Positions count from the oldest member found so far.
 */
export class FoundSet {
  readonly #search: Search
  /** Members up to the start, newest first. */
  readonly #older: number[] = []
  /** Members after the start, oldest first. */
  readonly #newer: number[] = []
  readonly #counts = noCounts()
  #unjudged: number[] = []
  /** Every id from `#low` to `#high` has been searched. */
  #low: number
  #high: number
  readonly #lowest: number
  /** Result of `changesOf` at the start: when it differs, the set is void. */
  readonly changes: string

  /** @param start id from which to search down, and up for new arrivals @param place range that holds all members up to the start */
  constructor(search: Search, start: number, changes: string, place: Place = { lowest: 0, highest: start }) {
    this.#search = search
    this.#high = start
    this.#low = Math.min(start, place.highest) + 1
    this.#lowest = place.lowest
    this.changes = changes
  }

  get size(): number {
    return this.#older.length + this.#newer.length
  }

  done({ lowest, settled }: Extent): boolean {
    return this.#low <= Math.max(lowest, this.#lowest) && this.#high >= settled
  }

  progress(extent: Extent): { scanned: number; of: number } {
    const { settled } = extent
    const lowest = Math.max(extent.lowest, this.#lowest)
    const of = Math.max(0, settled - lowest + 1)
    return { scanned: Math.min(of, Math.max(0, this.#high - Math.max(this.#low, lowest) + 1)), of }
  }

  step(extent: Extent): void {
    if (this.#high < extent.settled) {
      const { found, to } = this.#search.step(this.#high + 1, extent.settled, false)
      for (const row of found) this.#take(row, this.#newer)
      this.#high = to
    } else if (!this.done(extent)) {
      const { found, to } = this.#search.step(this.#low - 1, Math.max(extent.lowest, this.#lowest), true)
      for (const row of found) this.#take(row, this.#older)
      this.#low = to
    }
  }

  /** Forgets the members after an id, so that they are searched again: those deliveries may have changed. */
  rewind(statements: Statements, id: number): void {
    if (this.#high <= id) return
    const kept = this.#newer.findLastIndex((one) => one <= id) + 1
    const gone = this.#newer.splice(kept)
    const waiting = new Set(this.#unjudged)
    const judged = gone.filter((one) => !waiting.has(one))
    this.#countAgain(statements, judged, -1)
    this.#counts.unjudged -= gone.length - judged.length
    this.#unjudged = this.#unjudged.filter((one) => one <= id)
    this.#high = Math.max(id, this.#low - 1)
  }

  /** `limit` ids from `position` on, in order of arrival. */
  ids(position: number, limit: number): number[] {
    const end = Math.min(this.size, position + limit)
    const ids: number[] = []
    for (let at = Math.max(0, position); at < end; at++) {
      const older = this.#older[this.#older.length - 1 - at]
      const id = at < this.#older.length ? older : this.#newer[at - this.#older.length]
      if (id !== undefined) ids.push(id)
    }
    return ids
  }

  /** Number of found members with a smaller id. */
  before(id: number): number {
    return bisect(0, this.size, (place) => (this.ids(place, 1)[0] ?? 0) < id)
  }

  has(id: number): boolean {
    return this.ids(this.before(id), 1)[0] === id
  }

  /** @param analysed id up to which every delivery is analysed */
  counts(statements: Statements, analysed: number): Counts {
    const judged = this.#unjudged.filter((id) => id <= analysed)
    this.#unjudged = this.#unjudged.filter((id) => id > analysed)
    this.#counts.unjudged -= this.#countAgain(statements, judged, 1)
    return { ...this.#counts }
  }

  /** Adds `by` to the count of each id's verdict. @returns how many ids have a verdict */
  #countAgain(statements: Statements, ids: readonly number[], by: 1 | -1): number {
    if (ids.length === 0) return 0
    const rows = statements.all`SELECT verdict FROM analysis WHERE delivery_id IN (SELECT value
      FROM json_each(${JSON.stringify(ids)}))`
    for (const { verdict } of rows) this.#counts[nameOf(verdict)] += by
    return rows.length
  }

  #take({ id, verdict }: Found, into: number[]): void {
    into.push(id)
    const name = nameOf(verdict)
    this.#counts[name] += 1
    if (name === 'unjudged') this.#unjudged.push(id)
  }
}

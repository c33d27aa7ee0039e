import type { Verdict } from '#contract/delivery.ts'
import { VERDICTS } from '#contract/values.ts'
import type { Statements } from '../sql/connection.ts'
import type { Found, Look } from './look.ts'

export type Counts = Record<Verdict | 'unjudged', number>
export const noCounts = (): Counts => ({
  valid: 0,
  noted: 0,
  warning: 0,
  invalid: 0,
  unreadable: 0,
  unjudged: 0,
})

/** Where members can be, besides behind the start. */
export interface Place {
  readonly lowest: number
  readonly highest: number
}

/** The ids that there are now, and up to which of them membership does not change any more. */
export interface Extent {
  readonly lowest: number
  readonly settled: number
}

/**
 * The members of a filter that no index answers, found step by step: what arrived meanwhile first, then back from the newest, so that
 * the first rows are there at once. It can be left at any step and gone on with at any later time. Positions count from the oldest
 * member found so far.
 */
export class ScannedSet {
  readonly #look: Look
  /** Found behind the point where it began, newest first. */
  readonly #older: number[] = []
  /** Found since, oldest first. */
  readonly #newer: number[] = []
  readonly #counts = noCounts()
  #unjudged: number[] = []
  /** Every id from `#low` to `#high` has been looked at. */
  #low: number
  #high: number
  readonly #lowest: number
  /** Members come and go with this. */
  readonly changes: string

  /**
   * @param start where to begin: back from here first, then on from here
   * @param place up to the start there are members only between these
   */
  constructor(look: Look, start: number, changes: string, place: Place = { lowest: 0, highest: start }) {
    this.#look = look
    this.#high = start
    this.#low = Math.min(start, place.highest) + 1
    this.#lowest = place.lowest
    this.changes = changes
  }

  get size(): number {
    return this.#older.length + this.#newer.length
  }

  /** Whether there is nothing left to look at. */
  done({ lowest, settled }: Extent): boolean {
    return this.#low <= Math.max(lowest, this.#lowest) && this.#high >= settled
  }

  /** How many ids have been looked at, of how many. */
  progress(extent: Extent): { scanned: number; of: number } {
    const { settled } = extent
    const lowest = Math.max(extent.lowest, this.#lowest)
    const of = Math.max(0, settled - lowest + 1)
    return { scanned: Math.min(of, Math.max(0, this.#high - Math.max(this.#low, lowest) + 1)), of }
  }

  /** Looks at one window of ids. */
  step(extent: Extent): void {
    if (this.#high < extent.settled) {
      const { found, to } = this.#look.up(this.#high + 1, extent.settled)
      for (const row of found) this.#take(row, this.#newer)
      this.#high = to
    } else if (!this.done(extent)) {
      const { found, to } = this.#look.down(this.#low - 1, Math.max(extent.lowest, this.#lowest))
      for (const row of found) this.#take(row, this.#older)
      this.#low = to
    }
  }

  /** Takes back what was found after an id, to look at it again: it was not yet what it is now. */
  rewind(statements: Statements, id: number): void {
    if (this.#high <= id) return
    const kept = this.#newer.findLastIndex((one) => one <= id) + 1
    const gone = this.#newer.splice(kept)
    const waiting = new Set(this.#unjudged)
    this.#countAgain(
      statements,
      gone.filter((one) => !waiting.has(one)),
      -1,
    )
    this.#counts.unjudged -= gone.filter((one) => waiting.has(one)).length
    this.#unjudged = this.#unjudged.filter((one) => one <= id)
    this.#high = Math.max(id, this.#low - 1)
  }

  /** Ids at `position` and the `limit - 1` after it, in order of arrival. */
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

  /** How many members found so far have a smaller id. */
  before(id: number): number {
    let low = 0
    let high = this.size
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.ids(middle, 1)[0] ?? 0) < id) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Whether it has been found to be a member. */
  has(id: number): boolean {
    return this.ids(this.before(id), 1)[0] === id
  }

  /** @param analysed every delivery up to this one has its verdict */
  counts(statements: Statements, analysed: number): Counts {
    const judged = this.#unjudged.filter((id) => id <= analysed)
    this.#unjudged = this.#unjudged.filter((id) => id > analysed)
    this.#counts.unjudged -= this.#countAgain(statements, judged, 1)
    return { ...this.#counts }
  }

  /** @returns how many of them have a verdict */
  #countAgain(statements: Statements, ids: readonly number[], by: 1 | -1): number {
    if (ids.length === 0) return 0
    const rows = statements
      .get('SELECT verdict FROM analysis WHERE delivery_id IN (SELECT value FROM json_each(?))')
      .all(JSON.stringify(ids))
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

const nameOf = (verdict: unknown): Verdict | 'unjudged' =>
  (typeof verdict === 'number' ? VERDICTS[verdict] : undefined) ?? 'unjudged'

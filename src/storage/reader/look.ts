import { MATCHES_TEXT } from '../sql/columns.ts'
import type { Statements } from '../sql/connection.ts'
import { type Patience, TooLong } from '../sql/opened.ts'
import type { Selection } from './selection.ts'

/** Ids looked through at once to begin with, and at most. */
const FIRST_WINDOW = 256
const MOST_WINDOW = 65_536
/** A look should take about so long: other reads wait for it. */
const SLICE_MS = 12
/** One that opens large bodies is broken off then, and begun anew with fewer. */
const LONGEST_MS = 60

export interface Found {
  readonly id: number
  readonly verdict: unknown
}
interface Looked {
  /** In the direction of the look. */
  readonly found: readonly Found[]
  /** The last id looked at. */
  readonly to: number
}

/** From one id to another, downwards or up, until so many are found. */
interface Stretch {
  readonly from: number
  readonly end: number
  readonly limit: number
  readonly down: boolean
}

/** Finds the members of a filter among some ids, as many at once as can be looked at in a moment. */
export class Look {
  readonly #statements: Statements
  readonly #patience: Patience
  readonly #selection: Selection
  #window = FIRST_WINDOW

  constructor(statements: Statements, patience: Patience, selection: Selection) {
    this.#statements = statements
    this.#patience = patience
    this.#selection = selection
  }

  /** Looks from an id towards higher ones. @param end not beyond this */
  up(from: number, end: number): Looked {
    return this.#timed((window) => {
      const to = Math.min(end, from + window - 1)
      return { found: this.#members(from, to), to }
    })
  }

  /** Looks from an id towards lower ones. */
  down(from: number, end: number): Looked {
    return this.#timed((window) => {
      const to = Math.max(end, from - window + 1)
      return { found: this.#members(to, from).toReversed(), to }
    })
  }

  /** Ids of members in the order in which they are met. @param pause resolves when others have had their turn */
  async stream({ from, end, limit, down }: Stretch, pause: () => Promise<void>): Promise<number[]> {
    const ids: number[] = []
    for (let next = from; ids.length < limit && (down ? next >= end : next <= end); ) {
      const { found, to } = down ? this.down(next, end) : this.up(next, end)
      for (const { id } of found) ids.push(id)
      next = down ? to - 1 : to + 1
      await pause()
    }
    return ids.slice(0, limit)
  }

  #timed(look: (window: number) => Looked): Looked {
    for (;;) {
      const began = performance.now()
      const window = this.#window
      try {
        const longest = window === 1 ? Number.POSITIVE_INFINITY : LONGEST_MS
        const looked = this.#patience.within(longest, () => look(window))
        const took = performance.now() - began
        if (took < SLICE_MS / 2) this.#window = Math.min(MOST_WINDOW, window * 2)
        else if (took > SLICE_MS) this.#window = Math.max(1, Math.floor(window / 2))
        return looked
      } catch (error) {
        if (!(error instanceof TooLong)) throw error
        this.#window = Math.max(1, Math.floor(window / 8))
      }
    }
  }

  #members(low: number, high: number): Found[] {
    const { from, id, where, params } = this.#selection
    // The text index is asked for these ids only; for all of them, at every step, it would cost more than the steps.
    const bounded = MATCHES_TEXT.replace(')', ` AND rowid BETWEEN ${low} AND ${high})`)
    const asksText = where.includes(MATCHES_TEXT)
    const sql = `SELECT ${id} AS id, a.verdict AS verdict FROM ${from}
      WHERE ${id} BETWEEN ? AND ? AND (${asksText ? where.replaceAll(MATCHES_TEXT, bounded) : where}) ORDER BY ${id}`
    const query = asksText ? this.#statements.once(sql) : this.#statements.get(sql)
    return query.all(low, high, ...params).map((row) => ({ id: Number(row.id), verdict: row.verdict }))
  }
}

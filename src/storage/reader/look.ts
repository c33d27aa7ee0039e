import type { StatementSync } from 'node:sqlite'
import type { Statements } from '../sql/connection.ts'
import type { Patience } from '../sql/opened.ts'
import { boundedText } from './lean.ts'
import { Pace } from './pace.ts'
import type { Selection } from './selection.ts'

/** Other reads wait for a look. */
const PACE = { sliceMs: 12, longestMs: 60 }

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
  readonly #selection: Selection
  readonly #pace: Pace

  constructor(statements: Statements, patience: Patience, selection: Selection) {
    this.#statements = statements
    this.#pace = new Pace(patience, PACE)
    this.#selection = selection
  }

  /** Looks from an id towards higher ones. @param end not beyond this */
  up(from: number, end: number): Looked {
    return this.#pace.timed((window) => {
      const to = Math.min(end, from + window - 1)
      return { found: this.#members(from, to), to }
    })
  }

  /** Looks from an id towards lower ones. */
  down(from: number, end: number): Looked {
    return this.#pace.timed((window) => {
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

  #members(low: number, high: number): Found[] {
    return membersBetween(this.#statements, this.#selection, 'a.verdict AS verdict', low, high)
      .all(low, high, ...this.#selection.params)
      .map((row) => ({ id: Number(row.id), verdict: row.verdict }))
  }
}

/** Asks for `id` and another column of members from one id to another, which are its first parameters; the selection's come after them. */
export function membersBetween(
  statements: Statements,
  selection: Selection,
  column: string,
  low: number,
  high: number,
): StatementSync {
  const { from, id } = selection
  const { sql: where, asksText } = whereBetween(selection, low, high)
  const sql = `SELECT ${id} AS id, ${column} FROM ${from} WHERE ${id} BETWEEN ? AND ? AND (${where}) ORDER BY ${id}`
  return asksText ? statements.once(sql) : statements.get(sql)
}

/**
 * A selection's condition for deliveries from one id to another, which has to be said beside it. The text index is asked for these ids
 * only; for all of them, at every step, it would cost more than the steps.
 * @returns with `asksText` the text of the query is another for other ids, so it is not worth keeping
 */
export function whereBetween(
  { where }: Selection,
  low: number,
  high: number,
): { sql: string; asksText: boolean } {
  const sql = boundedText(where, low, high)
  return { sql, asksText: sql !== where }
}

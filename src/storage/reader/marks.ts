import type { Statements } from '../sql/connection.ts'
import type { Selection } from './selection.ts'
import { storedUpto } from './stored.ts'

/** Distance of the marks: what must be walked at most to reach a position, about a tenth of a millisecond. */
const EVERY = 250

/**
 * Where the positions of a set lie: the id of every 250th member, and how many members there are up to `upto`. Extended as deliveries
 * arrive, so that neither a page in the middle nor the total ever needs a walk over the whole set again.
 */
export class PositionMarks {
  readonly #selection: Selection
  readonly #marks: number[] = []
  #counted = 0
  #upto = 0
  /** No id has been missing so far. */
  #dense = false

  constructor(selection: Selection) {
    this.#selection = selection
  }

  /** Takes in members up to `settled`: up to there membership does not change any more. */
  extend(statements: Statements, settled: number): void {
    if (settled <= this.#upto) return
    if (this.#isDense(statements, settled)) this.#reckon(settled)
    else if (this.#selection.analysedOnly) this.#sweep(statements, settled)
    else this.#hop(statements, settled)
    this.#upto = settled
  }

  /** Size of the set now, with the members behind `upto` counted afresh. */
  total(statements: Statements): number {
    return this.#counted + this.#count(statements, this.#upto, Number.MAX_SAFE_INTEGER)
  }

  /** The id at a position. @returns undefined beyond the end */
  idAt(statements: Statements, position: number): number | undefined {
    const { from, id, where, params } = this.#selection
    const settled = position < this.#counted
    const start = settled ? (this.#marks[Math.floor(position / EVERY)] ?? 0) : this.#upto + 1
    const skip = settled ? position % EVERY : position - this.#counted
    if (settled && skip === 0) return start
    // An upper end lets an index on other columns serve a short range of ids.
    const end =
      (settled ? this.#marks[Math.floor(position / EVERY) + 1] : undefined) ?? Number.MAX_SAFE_INTEGER
    const row = statements
      .get(
        `SELECT ${id} AS id FROM ${from} WHERE (${where}) AND ${id} >= ? AND ${id} < ? ORDER BY ${id} LIMIT 1 OFFSET ?`,
      )
      .get(...params, start, end, skip)
    return row && Number(row.id)
  }

  /** Ids of the rows at `position` to `position + limit - 1`, as the first and the last of them. @returns undefined beyond the end */
  range(
    statements: Statements,
    position: number,
    limit: number,
    total: number,
  ): [number, number] | undefined {
    if (position >= total) return undefined
    const first = this.idAt(statements, position)
    const last = this.idAt(statements, Math.min(position + limit, total) - 1)
    return first === undefined || last === undefined ? undefined : [first, last]
  }

  /** How many members have a smaller id. */
  before(statements: Statements, id: number): number {
    let low = 0
    let high = this.#marks.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#marks[middle] ?? 0) < id) low = middle + 1
      else high = middle
    }
    if (low === 0) return this.#count(statements, 0, id - 1)
    const mark = this.#marks[low - 1] ?? 0
    return (low - 1) * EVERY + this.#count(statements, mark - 1, id - 1)
  }

  /** Everything, with no id missing: nothing need be read. */
  #isDense(statements: Statements, settled: number): boolean {
    if (!this.#selection.everything) return false
    const [first] = this.#marks
    if (first !== undefined)
      return this.#dense && this.#count(statements, this.#upto, settled) === settled - this.#upto
    const lowest = statements.get('SELECT min(id) AS id FROM delivery').get()?.id
    if (typeof lowest !== 'number') return false
    this.#upto = Math.min(settled, lowest - 1)
    this.#dense = storedUpto(statements, settled) === settled - this.#upto
    return this.#dense
  }

  #reckon(settled: number): void {
    const skip = this.#marks.length * EVERY - this.#counted
    for (let id = this.#upto + 1 + skip; id <= settled; id += EVERY) this.#marks.push(id)
    this.#counted += settled - this.#upto
  }

  /** In the order of ids anyway: from mark to mark, which is many times faster than numbering every row. */
  #hop(statements: Statements, settled: number): void {
    const { from, id, where, params } = this.#selection
    const step = statements.get(
      `SELECT ${id} AS id FROM ${from} WHERE (${where}) AND ${id} > ? AND ${id} <= ? ORDER BY ${id} LIMIT 1 OFFSET ?`,
    )
    let after = this.#upto
    let skip = this.#marks.length * EVERY - this.#counted
    for (;;) {
      const row = step.get(...params, after, settled, skip)
      if (!row) break
      after = Number(row.id)
      skip = EVERY - 1
      this.#marks.push(after)
      this.#counted = (this.#marks.length - 1) * EVERY + 1
    }
    this.#counted += this.#count(statements, after, settled)
  }

  /** Through an index on other columns: once over all members, since each hop would sort them anew. */
  #sweep(statements: Statements, settled: number): void {
    const { from, id, where, params } = this.#selection
    const scope = `FROM ${from} WHERE (${where}) AND ${id} > ? AND ${id} <= ?`
    const rows = statements
      .get(
        `SELECT id FROM (SELECT ${id} AS id, row_number() OVER (ORDER BY ${id}) - 1 + ? AS n ${scope}) WHERE n % ${EVERY} = 0 ORDER BY id`,
      )
      .all(this.#counted, ...params, this.#upto, settled)
    for (const row of rows) this.#marks.push(Number(row.id))
    this.#counted += this.#count(statements, this.#upto, settled)
  }

  #count(statements: Statements, after: number, upto: number): number {
    const { from, id, where, params } = this.#selection
    const row = statements
      .get(`SELECT count(*) AS n FROM ${from} WHERE (${where}) AND ${id} > ? AND ${id} <= ?`)
      .get(...params, after, upto)
    return Number(row?.n)
  }
}

/** Marks per filter; the least lately used go first. */
export class MarksCache<T> {
  readonly #kept = new Map<string, T>()
  readonly #size: number

  constructor(size: number) {
    this.#size = size
  }

  get(key: string, make: () => T): T {
    const found = this.#kept.get(key) ?? make()
    this.#kept.delete(key)
    this.#kept.set(key, found)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > this.#size && oldest !== undefined) this.#kept.delete(oldest)
    return found
  }

  has(key: string): boolean {
    return this.#kept.has(key)
  }

  clear(): void {
    this.#kept.clear()
  }
}

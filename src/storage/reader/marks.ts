import type { Statements } from '../sql/connection.ts'
import { bounds, fromMembers, Members, NO_END, storedUpto } from './members.ts'
import type { SetPlan, Source } from './plan.ts'

/** Distance of the marks: what must be walked at most to reach a position, about a tenth of a millisecond. */
const EVERY = 250

/**
 * Where the positions of a set lie: the id of every 250th member, and how many members there are up to `upto`. Extended as deliveries
 * arrive, so that neither a page in the middle nor the total ever needs a walk over the whole set again.
 */
export class PositionMarks {
  readonly #statements: Statements
  readonly #everything: boolean
  readonly #analysedOnly: boolean
  readonly #members: Members
  readonly #marks: number[] = []
  #counted = 0
  #upto = 0
  /** No id has been missing so far. */
  #dense = false

  constructor(statements: Statements, { strategy, analysedOnly }: SetPlan, source: Source) {
    this.#statements = statements
    this.#everything = strategy === 'everything'
    this.#analysedOnly = analysedOnly
    this.#members = new Members(statements, source)
  }

  /** Takes in members up to `settled`: up to there membership does not change any more. */
  extend(settled: number): void {
    if (settled <= this.#upto) return
    if (this.#isDense(settled)) this.#reckon(settled)
    else if (this.#analysedOnly) this.#sweep(settled)
    else this.#hop(settled)
    this.#upto = settled
  }

  /** Size of the set now, with the members behind `upto` counted afresh. */
  total(): number {
    return this.#counted + this.#members.count(this.#upto + 1)
  }

  /** The id at a position. @returns undefined beyond the end */
  idAt(position: number): number | undefined {
    const settled = position < this.#counted
    const start = settled ? (this.#marks[Math.floor(position / EVERY)] ?? 0) : this.#upto + 1
    const skip = settled ? position % EVERY : position - this.#counted
    if (settled && skip === 0) return start
    // An upper end lets an index on other columns serve a short range of ids.
    const end = settled ? this.#marks[Math.floor(position / EVERY) + 1] : undefined
    return this.#skip(start, end === undefined ? NO_END : end - 1, skip)
  }

  /** Ids of the rows at `position` to `position + limit - 1`, as the first and the last of them. @returns undefined beyond the end */
  range(position: number, limit: number, total: number): [number, number] | undefined {
    if (position >= total || limit <= 0) return undefined
    const first = this.idAt(position)
    const last = this.idAt(Math.min(position + limit, total) - 1)
    return first === undefined || last === undefined ? undefined : [first, last]
  }

  /** How many members have a smaller id. */
  before(id: number): number {
    let low = 0
    let high = this.#marks.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#marks[middle] ?? 0) < id) low = middle + 1
      else high = middle
    }
    if (low === 0) return this.#members.count(1, id - 1)
    return (low - 1) * EVERY + this.#members.count(this.#marks[low - 1] ?? 0, id - 1)
  }

  /** Everything, with no id missing: nothing need be read. */
  #isDense(settled: number): boolean {
    if (!this.#everything) return false
    const [first] = this.#marks
    if (first !== undefined)
      return this.#dense && this.#members.count(this.#upto + 1, settled) === settled - this.#upto
    const lowest = this.#statements.get('SELECT min(id) AS id FROM delivery').get()?.id
    if (typeof lowest !== 'number') return false
    this.#upto = Math.min(settled, lowest - 1)
    this.#dense = storedUpto(this.#statements, settled) === settled - this.#upto
    return this.#dense
  }

  #reckon(settled: number): void {
    const skip = this.#marks.length * EVERY - this.#counted
    for (let id = this.#upto + 1 + skip; id <= settled; id += EVERY) this.#marks.push(id)
    this.#counted += settled - this.#upto
  }

  /** In the order of ids anyway: from mark to mark, which is many times faster than numbering every row. */
  #hop(settled: number): void {
    let after = this.#upto
    for (let skip = this.#marks.length * EVERY - this.#counted; ; skip = EVERY - 1) {
      const id = this.#skip(after + 1, settled, skip)
      if (id === undefined) break
      after = id
      this.#marks.push(after)
      this.#counted = (this.#marks.length - 1) * EVERY + 1
    }
    this.#counted += this.#members.count(after + 1, settled)
  }

  #skip(low: number, high: number, skip: number): number | undefined {
    return this.#members.ids(low, high, `ORDER BY ${this.#members.source.id} LIMIT 1 OFFSET :skip`, {
      skip,
    })[0]
  }

  /** Through an index on other columns: once over all members, since each hop would sort them anew. */
  #sweep(settled: number): void {
    const { source } = this.#members
    const rows = this.#statements
      .get(
        `SELECT id FROM (SELECT ${source.id} AS id, row_number() OVER (ORDER BY ${source.id}) - 1 + :counted AS n ${fromMembers(source)})
         WHERE n % ${EVERY} = 0 ORDER BY id`,
      )
      .all({ ...bounds(this.#upto + 1, settled), counted: this.#counted }, ...source.params)
    for (const { id } of rows) this.#marks.push(Number(id))
    this.#counted += this.#members.count(this.#upto + 1, settled)
  }
}

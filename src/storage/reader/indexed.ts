import type { Params, Result } from '#contract/commands.ts'
import type { DeliveryRow, Page, PageParams } from '#contract/delivery.ts'
import { Queries, RecentlyUsed, raw, type Statements } from '../sql/connection.ts'
import { bisect, highestId, readProgress } from '../sql/numbers.ts'
import type { FoundSet } from './found-set.ts'
import { deletionsFollowed, fromMembers, Members, NO_END, storedUpto } from './members.ts'
import type { SetPlan, Source } from './plan.ts'
import { listedRows, ROW_COLUMNS, ROW_JOINS } from './rows.ts'
import type { Totals } from './totals.ts'

/** Filters whose positions and counts are cached. */
const FILTERS_REMEMBERED = 40

/** Executes every plan by arrival except `search`, by index. Pages use position marks, never SQL offsets. Call it in a read transaction. */
export class Indexed extends Queries {
  readonly #totals: Totals
  readonly #marks = new RecentlyUsed<PositionMarks>(FILTERS_REMEMBERED)

  constructor(statements: Statements, totals: Totals) {
    super(statements)
    this.#totals = totals
  }

  page(plan: SetPlan, params: Omit<PageParams, 'filter'>): Page {
    const newest = this.#newest(plan, params)
    if (newest) return newest
    const { from, limit } = params
    const marks = this.#marksOf(plan)
    const total = marks.total()
    const start = Math.min(from === 'newest' ? Math.max(0, total - limit) : from, total)
    return { rows: this.#between(plan, marks.range(start, limit, total)), from: start, total }
  }

  scan(plan: SetPlan, params: Omit<Params<'deliveries.scan'>, 'filter'>): DeliveryRow[] {
    const { after, limit, newest } = params
    const marks = this.#marksOf(plan)
    const total = marks.total()
    if (!newest) {
      const start = after === null ? 0 : marks.before(after + 1)
      return this.#between(plan, marks.range(start, limit, total))
    }
    const end = after === null ? total : marks.before(after)
    const start = Math.max(0, end - limit)
    return this.#between(plan, marks.range(start, end - start, total)).toReversed()
  }

  members({ rows }: SetPlan, after: number, limit: number): number[] {
    return new Members(this.db, rows).ids(after + 1, NO_END, { limit })
  }

  locate(plan: SetPlan, id: number): Result<'deliveries.locate'> {
    const member = new Members(this.db, plan.rows).has(id)
    return { position: this.#marksOf(plan).before(id), member }
  }

  /** The first member with an id of at least `from`, else the last member. @param set the members, when no index finds them */
  memberFrom(plan: SetPlan, from: number, set?: FoundSet) {
    const marks = set ? undefined : this.#marksOf(plan)
    const total = set?.size ?? marks?.total() ?? 0
    const position = Math.min(set?.before(from) ?? marks?.before(from) ?? 0, Math.max(0, total - 1))
    const id = total === 0 ? null : (set?.ids(position, 1)[0] ?? marks?.idAt(position) ?? null)
    return { position, id }
  }

  reset(): void {
    this.#marks.clear()
  }

  /** Serves pages near the newest delivery, for which position marks are not worth their cost. */
  #newest(plan: SetPlan, params: Omit<PageParams, 'filter'>): Page | undefined {
    if (plan.changes || this.#marks.has(plan.key)) return undefined
    const reached = { analysed: this.#analysed(), highest: highestId(this.db) }
    const found = this.#totals.newest(plan, params, reached)
    return found && { rows: this.#between(plan, found.range), from: found.start, total: found.total }
  }

  #marksOf(plan: SetPlan): PositionMarks {
    if (plan.changes) return new PositionMarks(this.db, plan, plan.rows)
    const marks = this.#marks.get(plan.key, () => {
      const source = deletionsFollowed(this.db) ? plan.lean.ids : plan.rows
      return new PositionMarks(this.db, plan, source)
    })
    marks.extend(plan.waitsForAnalysis ? this.#analysed() : highestId(this.db))
    return marks
  }

  /** Takes both end ids, so that SQLite neither walks nor sorts an index beyond them. */
  #between({ rows }: SetPlan, range: readonly [number, number] | undefined): DeliveryRow[] {
    if (!range) return []
    const found = new Members(this.db, rows).lists(ROW_COLUMNS, ...range, ROW_JOINS)
    return listedRows(this.db, found)
  }

  #analysed(): number {
    return readProgress(this.db, 'analysed_upto')
  }
}

/** Distance between marks, in members: the longest walk to a position, some hundredths of a millisecond. */
const EVERY = 50

/** The id of every 50th member of a set, so that no page walks the whole set. Extended as deliveries arrive. */
export class PositionMarks extends Queries {
  readonly #everything: boolean
  readonly #analysedOnly: boolean
  readonly #members: Members
  readonly #marks: number[] = []
  #counted = 0
  #upto = 0
  /** No id is missing so far, so positions follow from ids. */
  #dense = false

  constructor(statements: Statements, { strategy, analysedOnly }: SetPlan, source: Source) {
    super(statements)
    this.#everything = strategy === 'everything'
    this.#analysedOnly = analysedOnly
    this.#members = new Members(statements, source)
  }

  /** Adds the members up to id `settled`, up to which membership no longer changes. */
  extend(settled: number): void {
    if (settled <= this.#upto) return
    if (this.#isDense(settled)) this.#reckon(settled)
    else if (this.#analysedOnly) this.#sweep(settled)
    else this.#hop(settled)
    this.#upto = settled
  }

  /** Current size of the set; counts the members beyond the settled ones anew. */
  total(): number {
    return this.#counted + this.#members.count(this.#upto + 1)
  }

  /** @returns the id at a position; undefined beyond the end */
  idAt(position: number): number | undefined {
    const settled = position < this.#counted
    const start = settled ? (this.#marks[Math.floor(position / EVERY)] ?? 0) : this.#upto + 1
    const skip = settled ? position % EVERY : position - this.#counted
    if (settled && skip === 0) return start
    // With an upper bound, an index on other columns can serve a short range of ids.
    const end = settled ? this.#marks[Math.floor(position / EVERY) + 1] : undefined
    return this.#skip(start, end === undefined ? NO_END : end - 1, skip)
  }

  /** @returns first and last id of the rows at `position` to `position + limit - 1`; undefined beyond the end */
  range(position: number, limit: number, total: number): [number, number] | undefined {
    if (position >= total || limit <= 0) return undefined
    const first = this.idAt(position)
    const last = this.idAt(Math.min(position + limit, total) - 1)
    return first === undefined || last === undefined ? undefined : [first, last]
  }

  before(id: number): number {
    const next = bisect(0, this.#marks.length, (place) => (this.#marks[place] ?? 0) < id)
    if (next === 0) return this.#members.count(1, id - 1)
    return (next - 1) * EVERY + this.#members.count(this.#marks[next - 1] ?? 0, id - 1)
  }

  /** Whether the set is every delivery and no id is missing: then positions need no reading. */
  #isDense(settled: number): boolean {
    if (!this.#everything) return false
    const [first] = this.#marks
    if (first !== undefined)
      return this.#dense && this.#members.count(this.#upto + 1, settled) === settled - this.#upto
    const lowest = this.db.value`SELECT min(id) FROM delivery`
    if (typeof lowest !== 'number') return false
    this.#upto = Math.min(settled, lowest - 1)
    this.#dense = storedUpto(this.db, settled) === settled - this.#upto
    return this.#dense
  }

  #reckon(settled: number): void {
    const skip = this.#marks.length * EVERY - this.#counted
    for (let id = this.#upto + 1 + skip; id <= settled; id += EVERY) this.#marks.push(id)
    this.#counted += settled - this.#upto
  }

  /** For an index in the order of ids: jumps from mark to mark, many times faster than numbering every row. */
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
    return this.#members.ids(low, high, { skip, limit: 1 })[0]
  }

  /** For an index on other columns: numbers all members in one pass, since each jump would sort them anew. */
  #sweep(settled: number): void {
    const { source } = this.#members
    const id = raw(source.id)
    const marks = this.db
      .numbers`SELECT id FROM (SELECT ${id} AS id, row_number() OVER (ORDER BY ${id}) - 1 + ${this.#counted} AS n
      ${fromMembers(source, this.#upto + 1, settled)}) WHERE n % ${raw(EVERY)} = 0 ORDER BY id`
    for (const mark of marks) this.#marks.push(mark)
    this.#counted += this.#members.count(this.#upto + 1, settled)
  }
}

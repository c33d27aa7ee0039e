import type { Params, Result } from '#contract/commands.ts'
import type { DeliveryRow, Page, PageParams } from '#contract/delivery.ts'
import { readProgress } from '../analyst/progress.ts'
import { highestId } from '../sql/arrivals.ts'
import type { Statements } from '../sql/connection.ts'
import { RecentlyUsed } from '../sql/recently-used.ts'
import type { FoundSet } from './found-set.ts'
import { PositionMarks } from './marks.ts'
import { deletionsFollowed, Members, NO_END } from './members.ts'
import type { SetPlan } from './plan.ts'
import { ROW_COLUMNS, rowOf, withAttempts } from './rows.ts'
import type { Totals } from './totals.ts'

/** Filters whose positions and counts are remembered. */
const FILTERS_REMEMBERED = 40

/**
 * Executes every plan in order of arrival but `search`: an index finds the members. Pages are found by marks of positions, never by
 * offsets. Call within one snapshot.
 */
export class Indexed {
  readonly #statements: Statements
  readonly #totals: Totals
  readonly #marks = new RecentlyUsed<PositionMarks>(FILTERS_REMEMBERED)

  constructor(statements: Statements, totals: Totals) {
    this.#statements = statements
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

  /** Ids of the members beyond `after`, in order of arrival. */
  members({ rows }: SetPlan, after: number, limit: number): number[] {
    return new Members(this.#statements, rows).ids(after + 1, NO_END, `ORDER BY ${rows.id} LIMIT :limit`, {
      limit,
    })
  }

  locate(plan: SetPlan, id: number): Result<'deliveries.locate'> {
    const member = new Members(this.#statements, plan.rows).has(id)
    return { position: this.#marksOf(plan).before(id), member }
  }

  /** The first member from an id on, or the last before it. @param set the members, where no index tells them */
  memberFrom(
    plan: SetPlan,
    from: number,
    set?: FoundSet,
  ): { readonly position: number; readonly id: number | null } {
    const marks = set ? undefined : this.#marksOf(plan)
    const total = set?.size ?? marks?.total() ?? 0
    const position = Math.min(set?.before(from) ?? marks?.before(from) ?? 0, Math.max(0, total - 1))
    const id = total === 0 ? null : (set?.ids(position, 1)[0] ?? marks?.idAt(position) ?? null)
    return { position, id }
  }

  /** Deliveries were deleted or replaced. */
  reset(): void {
    this.#marks.clear()
  }

  /** Near the newest, marks of positions are not worth their making. */
  #newest(plan: SetPlan, params: Omit<PageParams, 'filter'>): Page | undefined {
    if (plan.changes || this.#marks.has(plan.key)) return undefined
    const reached = { analysed: this.#analysed(), highest: highestId(this.#statements) }
    const found = this.#totals.newest(plan, params, reached)
    return found && { rows: this.#between(plan, found.range), from: found.start, total: found.total }
  }

  #marksOf(plan: SetPlan): PositionMarks {
    if (plan.changes) return new PositionMarks(this.#statements, plan, plan.rows)
    const marks = this.#marks.get(plan.key, () => {
      const source = deletionsFollowed(this.#statements) ? plan.lean.ids : plan.rows
      return new PositionMarks(this.#statements, plan, source)
    })
    marks.extend(plan.waitsForAnalysis ? this.#analysed() : highestId(this.#statements))
    return marks
  }

  /** Both ends are known before rows are read, so that no index is walked or sorted beyond them. */
  #between({ rows }: SetPlan, range: readonly [number, number] | undefined): DeliveryRow[] {
    if (!range) return []
    const found = new Members(this.#statements, rows).lists(ROW_COLUMNS, ...range)
    return withAttempts(this.#statements, found.map(rowOf))
  }

  #analysed(): number {
    return readProgress(this.#statements, 'analysed_upto')
  }
}

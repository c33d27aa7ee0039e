import type { Params, Result } from '#contract/commands.ts'
import type { DeliveryRow, Page, PageParams } from '#contract/delivery.ts'
import type { Filter } from '#core/filter/tree.ts'
import { readProgress } from '../analyst/progress.ts'
import { highestId } from '../sql/arrivals.ts'
import type { Statements } from '../sql/connection.ts'
import { withAttempts } from './attempts.ts'
import { boundedText, lean } from './lean.ts'
import { MarksCache, PositionMarks } from './marks.ts'
import { ROW_COLUMNS, readRows } from './row.ts'
import type { ScannedSet } from './scanned-set.ts'
import type { Selection } from './selection.ts'
import type { Sizes } from './sizes.ts'
import { deletionsFollowed } from './stored.ts'

/** Filters whose positions and counts are remembered. */
const FILTERS_REMEMBERED = 40

/**
 * Sets in order of arrival whose members an index tells: pages are found by marks of positions, never by offsets. For those that must be
 * opened see searches.ts, for other orders orders.ts. Call within one snapshot.
 */
export class Indexed {
  readonly #statements: Statements
  readonly #sizes: Sizes
  readonly #marks = new MarksCache<PositionMarks>(FILTERS_REMEMBERED)

  constructor(statements: Statements, sizes: Sizes) {
    this.#statements = statements
    this.#sizes = sizes
  }

  page(filter: Filter, selection: Selection, params: Omit<PageParams, 'filter'>): Page {
    const early = this.#early(filter, selection, params)
    if (early) return early
    const { from, limit } = params
    const marks = this.#marksOf(selection)
    const total = marks.total(this.#statements)
    const start = Math.min(from === 'newest' ? Math.max(0, total - limit) : from, total)
    return { rows: this.#slice(selection, marks, start, limit, total), from: start, total }
  }

  scan(selection: Selection, params: Omit<Params<'deliveries.scan'>, 'filter'>): DeliveryRow[] {
    const { after, limit, newest } = params
    const marks = this.#marksOf(selection)
    const total = marks.total(this.#statements)
    if (!newest) {
      const start = after === null ? 0 : marks.before(this.#statements, after + 1)
      return this.#slice(selection, marks, start, limit, total)
    }
    const end = after === null ? total : marks.before(this.#statements, after)
    const start = Math.max(0, end - limit)
    return this.#slice(selection, marks, start, end - start, total).toReversed()
  }

  /** Ids of the members beyond `after`, in order of arrival. */
  members({ from, where, id, params }: Selection, after: number, limit: number): number[] {
    return this.#statements
      .get(`SELECT ${id} AS id FROM ${from} WHERE (${where}) AND ${id} > ? ORDER BY ${id} LIMIT ?`)
      .all(...params, after, limit)
      .map((row) => Number(row.id))
  }

  locate(selection: Selection, id: number): Result<'deliveries.locate'> {
    const marks = this.#marksOf(selection)
    const member = this.#statements
      .get(`SELECT 1 FROM ${selection.from} WHERE (${selection.where}) AND ${selection.id} = ?`)
      .get(...selection.params, id)
    return { position: marks.before(this.#statements, id), member: member !== undefined }
  }

  /** The first member from an id on, or the last before it. @param set the members, where no index tells them */
  memberFrom(
    selection: Selection,
    from: number,
    set?: ScannedSet,
  ): { readonly position: number; readonly id: number | null } {
    const marks = set ? undefined : this.#marksOf(selection)
    const total = set?.size ?? marks?.total(this.#statements) ?? 0
    const position = Math.min(
      set?.before(from) ?? marks?.before(this.#statements, from) ?? 0,
      Math.max(0, total - 1),
    )
    const id =
      total === 0 ? null : (set?.ids(position, 1)[0] ?? marks?.idAt(this.#statements, position) ?? null)
    return { position, id }
  }

  /** Deliveries were deleted or replaced. */
  reset(): void {
    this.#marks.clear()
  }

  /** Near the newest, marks of positions are not worth their making. */
  #early(filter: Filter, selection: Selection, params: Omit<PageParams, 'filter'>): Page | undefined {
    if (selection.changesAnywhere || this.#marks.has(selection.key)) return undefined
    const few = deletionsFollowed(this.#statements) ? lean(selection) : selection
    const reached = { analysed: this.#analysed(), highest: highestId(this.#statements) }
    const found = this.#sizes.newest(filter, few, params, reached)
    if (!found) return undefined
    return { rows: this.#between(selection, found.range), from: found.start, total: found.total }
  }

  #marksOf(selection: Selection): PositionMarks {
    // Pins, notes, tags and attempts come and go anywhere in the set, so nothing about it can be remembered.
    if (selection.changesAnywhere) return new PositionMarks(selection)
    const marks = this.#marks.get(
      selection.key,
      () => new PositionMarks(deletionsFollowed(this.#statements) ? lean(selection) : selection),
    )
    marks.extend(
      this.#statements,
      selection.waitsForAnalysis ? this.#analysed() : highestId(this.#statements),
    )
    return marks
  }

  /** Both ends of the slice are known before its rows are read, so that no index is walked or sorted beyond them. */
  #slice(
    selection: Selection,
    marks: PositionMarks,
    start: number,
    limit: number,
    total: number,
  ): DeliveryRow[] {
    const range = limit > 0 ? marks.range(this.#statements, start, limit, total) : undefined
    return this.#between(selection, range)
  }

  #between(selection: Selection, range: readonly [number, number] | null | undefined): DeliveryRow[] {
    if (!range) return []
    const { from, id, params } = selection
    const where = boundedText(selection.where, ...range)
    const sql = `SELECT ${ROW_COLUMNS} FROM ${from} WHERE (${where}) AND ${id} BETWEEN ? AND ? ORDER BY ${id}`
    const query = where === selection.where ? this.#statements.get(sql) : this.#statements.once(sql)
    return withAttempts(this.#statements, readRows(query, [...params, ...range]))
  }

  #analysed(): number {
    return readProgress(this.#statements, 'analysed_upto')
  }
}

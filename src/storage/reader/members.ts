import { Queries, raw, type Sql, type SqlRow, type Statements } from '../sql/connection.ts'
import { readMeta, readProgress } from '../sql/numbers.ts'
import type { Source } from './plan.ts'

/** Higher than every id. */
export const NO_END = Number.MAX_SAFE_INTEGER

/** `FROM` and `WHERE` of the members between two ids, both included. The ids are BigInt, because the text index ignores other numbers. */
export const fromMembers = ({ from, id, where }: Source, low: number, high: number): Sql => ({
  text: `FROM ${from} WHERE ${id} BETWEEN :low AND :high AND (${where.text})`,
  values: where.values,
  named: { low: BigInt(low), high: BigInt(high) },
})

/** Queries over the members between two ids, both included. */
export class Members extends Queries {
  readonly source: Source
  readonly #id: Sql

  constructor(statements: Statements, source: Source) {
    super(statements)
    this.source = source
    this.#id = raw(source.id)
  }

  count(low: number, high = NO_END): number {
    if (low > high) return 0
    return this.db.number`SELECT count(*) ${fromMembers(this.source, low, high)}`
  }

  has(id: number): boolean {
    return this.db.has`SELECT 1 ${fromMembers(this.source, id, id)}`
  }

  ids(low: number, high: number, { skip = 0, limit = NO_END, down = false }): number[] {
    return this.db.numbers`SELECT ${this.#id} ${fromMembers(this.source, low, high)}
      ORDER BY ${this.#id} ${raw(down ? 'DESC' : 'ASC')} LIMIT ${limit} OFFSET ${skip}`
  }

  all(what: Sql, low: number, high: number, rest: Sql): readonly SqlRow[] {
    return this.db.all`SELECT ${what} ${fromMembers(this.source, low, high)} ${rest}`
  }

  /** Rows as lists of values, in order of arrival. @param joins further tables that the columns need */
  lists(what: string, low: number, high: number, joins = ''): readonly (readonly unknown[])[] {
    const source = { ...this.source, from: `${this.source.from} ${joins}` }
    return this.db.lists`SELECT ${raw(what)} ${fromMembers(source, low, high)} ORDER BY ${this.#id}`
  }
}

export function storedAfter(statements: Statements, id: number): number {
  return statements.number`SELECT count(*) AS n FROM delivery WHERE id > ${id}`
}

/** Number of deliveries up to an id near the highest, from the writer's count instead of a scan. */
export function storedUpto(statements: Statements, id: number): number {
  const upto = statements.number`SELECT value FROM meta WHERE key = 'counted_upto'`
  const counted = statements.number`SELECT value FROM meta WHERE key = 'counted'`
  return counted + storedAfter(statements, upto) - storedAfter(statements, id)
}

/** Whether analysis has followed every deletion and restoration. Lean sources are valid only then. */
export function deletionsFollowed(statements: Statements): boolean {
  return (['deletions', 'restorations'] as const).every(
    (key) => readMeta(statements, key) === readProgress(statements, key),
  )
}

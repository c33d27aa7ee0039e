import type { SQLInputValue } from 'node:sqlite'
import type { Statements } from '../sql/connection.ts'
import { rowsAsLists } from '../sql/connection.ts'
import type { Source } from './plan.ts'

/** Higher than every id. */
export const NO_END = Number.MAX_SAFE_INTEGER

/** The named values of a query between two ids. As BigInt, because the text index heeds only integers and numbers are bound as reals. */
export const bounds = (low: number, high: number): { readonly low: bigint; readonly high: bigint } => ({
  low: BigInt(low),
  high: BigInt(high),
})

/** `FROM` and `WHERE` of the members between `:low` and `:high`, both included; `bounds` has those, the source's values come after. */
export const fromMembers = ({ from, id, where }: Source): string =>
  `FROM ${from} WHERE ${id} BETWEEN :low AND :high AND (${where})`

type Named = Readonly<Record<string, SQLInputValue>>

/** A question about the members from one id to another, both included. */
export class Members {
  readonly #statements: Statements
  readonly source: Source

  constructor(statements: Statements, source: Source) {
    this.#statements = statements
    this.source = source
  }

  count(low: number, high = NO_END): number {
    if (low > high) return 0
    return Number(this.all('count(*) AS n', low, high)[0]?.n)
  }

  has(id: number): boolean {
    return this.all('1', id, id).length > 0
  }

  ids(low: number, high: number, rest: string, named: Named): number[] {
    return this.all(`${this.source.id} AS id`, low, high, rest, named).map(({ id }) => Number(id))
  }

  /**
   * @param rest what follows the condition
   * @param named its values, and those of `what`
   */
  all(what: string, low: number, high: number, rest = '', named: Named = {}): Record<string, unknown>[] {
    const query = this.#statements.get(`SELECT ${what} ${fromMembers(this.source)} ${rest}`)
    return query.all({ ...bounds(low, high), ...named }, ...this.source.params)
  }

  /** Rows as lists of values, in order of arrival. */
  lists(what: string, low: number, high: number): readonly (readonly unknown[])[] {
    const query = this.#statements.get(
      `SELECT ${what} ${fromMembers(this.source)} ORDER BY ${this.source.id}`,
    )
    return rowsAsLists(query, this.source.params, bounds(low, high))
  }
}

/** How many deliveries there are with a higher id. */
export function storedAfter(statements: Statements, id: number): number {
  return Number(statements.get('SELECT count(*) AS n FROM delivery WHERE id > ?').get(id)?.n)
}

/** How many deliveries there are up to an id near the highest, by what the writer keeps count of: they are not gone through. */
export function storedUpto(statements: Statements, id: number): number {
  const { upto, counted } = statements
    .get(
      `SELECT (SELECT value FROM meta WHERE key = 'counted_upto') AS upto, (SELECT value FROM meta WHERE key = 'counted') AS counted`,
    )
    .get() ?? { upto: 0, counted: 0 }
  return Number(counted ?? 0) + storedAfter(statements, Number(upto ?? 0)) - storedAfter(statements, id)
}

const FOLLOWED = ['deletions', 'restorations'].map(
  (key) =>
    `coalesce((SELECT value FROM meta WHERE key = '${key}'), 0) = coalesce((SELECT value FROM progress WHERE key = '${key}'), 0)`,
)

/** Whether analysis has dropped what it derived from deleted deliveries, and has seen those that came back from the trash: only then do lean sources hold. */
export function deletionsFollowed(statements: Statements): boolean {
  return statements.get(`SELECT ${FOLLOWED.join(' AND ')} AS same`).get()?.same === 1
}

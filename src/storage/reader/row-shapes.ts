import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { CAPTURED_MIGRATIONS } from '../schema/captured.ts'
import { migrate } from '../sql/open-own.ts'
import type { DamagedPages, DamagedRow, Value } from './damaged-pages.ts'

/** A row with a known table; its values by column name. */
export interface NamedRow {
  readonly table: string
  readonly id: number
  readonly [column: string]: Value | undefined
}

interface Column {
  readonly name: string
  fits(value: Value): boolean
  /** Rows of an older schema may lack it. */
  readonly optional: boolean
}

interface Shape {
  readonly table: string
  readonly columns: readonly Column[]
  /** WITHOUT ROWID: its rows are in an index. */
  readonly rowless: boolean
}

const OF_TYPE: Readonly<Record<string, (value: Value) => boolean>> = {
  INTEGER: (value) => Number.isSafeInteger(value),
  TEXT: (value) => typeof value === 'string',
  BLOB: (value) => Buffer.isBuffer(value),
}

/** Finds the table of a row of captured.db by number and types of its values. A row of an older schema is a prefix of a current one. */
export class RowShapes {
  readonly #shapes: readonly Shape[]

  /** @param schema version of the file: in a newer schema, a row of an older one may look like a row of another table */
  constructor(schema = Number.POSITIVE_INFINITY) {
    using db = new DatabaseSync(':memory:')
    migrate(db, ':memory:', CAPTURED_MIGRATIONS.slice(0, schema))
    this.#shapes = db
      .prepare("SELECT name, wr FROM pragma_table_list WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .all()
      .map(({ name, wr }) => shapeOf(db, String(name), wr === 1))
  }

  /** @returns undefined when no table fits */
  name({ id, values }: DamagedRow): NamedRow | undefined {
    // Shorter shapes first: a longer table may fit too, because its later columns are optional.
    const fitting = this.#shapes
      .filter((shape) => shape.rowless === (id === null) && fits(shape, values))
      .toSorted((a, b) => a.columns.length - b.columns.length)
    // An answer may look like a payload, but its hash identifies it.
    const table = isAnswer(values) ? 'answer' : fitting.find((shape) => shape.table !== 'answer')?.table
    const shape = fitting.find((one) => one.table === table)
    if (!shape) return undefined
    const named = Object.fromEntries(shape.columns.map(({ name }, at) => [name, values[at]]))
    return { ...named, table: shape.table, id: id ?? 0 }
  }
}

function shapeOf(db: DatabaseSync, table: string, rowless: boolean): Shape {
  const columns = db.prepare('SELECT * FROM pragma_table_info(?)').all(table)
  return {
    table,
    rowless,
    columns: columns.map(({ name, type, notnull, dflt_value, pk }): Column => {
      const isRowId = pk === 1 && type === 'INTEGER' && !rowless
      const nullable = notnull === 0 && pk === 0
      return {
        name: String(name),
        // SQLite stores the row id before the values, and null in its column.
        fits: (value) =>
          isRowId ? value === null : (nullable && value === null) || OF_TYPE[String(type)]?.(value) === true,
        optional: nullable || dflt_value !== null,
      }
    }),
  }
}

const fits = ({ columns }: Shape, values: readonly Value[]): boolean =>
  values.length <= columns.length &&
  columns.every((column, at) => {
    const value = values[at]
    return value === undefined ? column.optional : column.fits(value)
  })

/** Checks the hash that writer/intake.ts makes. */
function isAnswer([, hash, headers, body]: readonly Value[]): boolean {
  if (!Buffer.isBuffer(hash) || !Buffer.isBuffer(headers) || !Buffer.isBuffer(body)) return false
  const made = createHash('sha256').update(`${headers.byteLength}:`).update(headers).update(body).digest()
  return hash.equals(made)
}

/** The last schema whose rows of `trashed` have as many values as rows of `delivery` in the next schema. */
const SCHEMA_BEFORE_AUTHENTICATED = 6

/**
 * The shapes of a damaged file. When its first page is unreadable, the rows decide. The schema has `authenticated` when a delivery ends
 * with 0, which is no batch id, or when a row of the trash is longer than any delivery. Otherwise the schema is older if the file has a
 * batch that rows end with. Without that batch, the rows count as deliveries, since the trash deletes for good after a day.
 */
export function shapesOf(pages: DamagedPages): RowShapes {
  const newest = new RowShapes()
  const schema = pages.schema
  if (schema !== null) return new RowShapes(schema)
  const older = new RowShapes(SCHEMA_BEFORE_AUTHENTICATED)
  const batches = new Set<number>()
  const used = new Set<number>()
  for (let page = 1; page <= pages.last; page++)
    for (const row of pages.rows(page)) {
      const now = newest.name(row)
      if (now?.table === 'trash_batch') batches.add(now.id)
      if (now?.table === 'trashed' ? now.authenticated !== undefined : now?.authenticated === 0) return newest
      const before = older.name(row)
      if (before?.table === 'trashed') used.add(Number(before.batch))
    }
  return [...used].some((batch) => batches.has(batch)) ? older : newest
}

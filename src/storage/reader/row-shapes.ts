import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { CAPTURED_MIGRATIONS } from '../schema/captured.ts'
import { migrate } from '../sql/open-own.ts'
import type { DamagedPages, DamagedRow, Value } from './damaged-pages.ts'

/** A row whose table is known, its values by the names of their columns. */
export interface NamedRow {
  readonly table: string
  readonly id: number
  readonly [column: string]: Value | undefined
}

interface Column {
  readonly name: string
  fits(value: Value): boolean
  /** Rows of an older schema end before it. */
  readonly optional: boolean
}

interface Shape {
  readonly table: string
  readonly columns: readonly Column[]
  /** Its rows lie in an index. */
  readonly rowless: boolean
}

const OF_TYPE: Readonly<Record<string, (value: Value) => boolean>> = {
  INTEGER: (value) => Number.isSafeInteger(value),
  TEXT: (value) => typeof value === 'string',
  BLOB: (value) => Buffer.isBuffer(value),
}

/** Tells the tables of captured.db by number and types of a row's values; a row of an older schema is the beginning of such a row. */
export class RowShapes {
  readonly #shapes: readonly Shape[]

  /** @param schema version of the file: a longer row of an older schema may look like one of another table in a newer schema */
  constructor(schema = Number.POSITIVE_INFINITY) {
    using db = new DatabaseSync(':memory:')
    migrate(db, ':memory:', CAPTURED_MIGRATIONS.slice(0, schema))
    this.#shapes = db
      .prepare("SELECT name, wr FROM pragma_table_list WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .all()
      .map(({ name, wr }) => shapeOf(db, String(name), wr === 1))
  }

  /** @returns undefined for a row of no table */
  name({ id, values }: DamagedRow): NamedRow | undefined {
    // The table whose rows are as long comes first: what a column added later holds may fit a column of another table.
    const fitting = this.#shapes
      .filter((shape) => shape.rowless === (id === null) && fits(shape, values))
      .toSorted((a, b) => a.columns.length - b.columns.length)
    // An answer may look like a payload, and knows its own hash.
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
        // The row id itself stands before the values, and as null among them.
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

/** As intake.ts makes the hash. */
function isAnswer([, hash, headers, body]: readonly Value[]): boolean {
  if (!Buffer.isBuffer(hash) || !Buffer.isBuffer(headers) || !Buffer.isBuffer(body)) return false
  const made = createHash('sha256').update(`${headers.byteLength}:`).update(headers).update(body).digest()
  return hash.equals(made)
}

/** The last schema in which a row of `trashed` has as many values as a row of `delivery` has in the next one. */
const SCHEMA_BEFORE_AUTHENTICATED = 6

/**
 * The shapes of a damaged file. Where its first page is unreadable, the rows decide: a schema with `authenticated` shows in a delivery
 * that ends with 0, which no batch is, or in a row of the trash that is longer than any delivery. A file that shows neither, and has the
 * very batch that its rows end with, is older. Without the batch the rows stay deliveries: the trash deletes for good after a day.
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

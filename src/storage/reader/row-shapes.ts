import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { CAPTURED_MIGRATIONS } from '../schema/captured.ts'
import { migrate } from '../sql/migrate.ts'
import type { DamagedRow, Value } from './damaged-pages.ts'

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

/**
 * Tells the tables of captured.db by the number and types of a row's values, for rows that were found without their table. The shapes come
 * from the schema of this Acuse; those of an older one are the beginnings of the same rows.
 */
export class RowShapes {
  readonly #shapes: readonly Shape[]

  constructor() {
    using db = new DatabaseSync(':memory:')
    migrate(db, ':memory:', CAPTURED_MIGRATIONS)
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

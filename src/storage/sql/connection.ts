import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import { AcuseError } from '#contract/errors.ts'
import { closedOnFailure } from '../disk/files.ts'

/** With pages of 16 KiB, a typical delivery of 2 KB takes 1.07 times its size; with the default of 4 KiB, 1.55 times. */
export const PAGE_SIZE = 16_384

/** In older versions, a commit that races a checkpoint of another connection can lose data (sqlite.org/wal.html, the WAL-reset bug). */
const SAFE_VERSION = [3, 51, 3] as const

/** Warning about an old SQLite, else null. Only one connection per database writes or checkpoints, so the bug cannot strike here. */
export function versionWarning(version = sqliteVersion()): string | null {
  const parts = version.split('.').map(Number)
  for (const [i, least] of SAFE_VERSION.entries()) {
    const part = parts[i] ?? 0
    if (part > least) return null
    if (part < least)
      return `SQLite ${version} is older than ${SAFE_VERSION.join('.')}: let no other program write to the store while Acuse runs.`
  }
  return null
}

function sqliteVersion(): string {
  using db = new DatabaseSync(':memory:')
  return String(db.prepare('SELECT sqlite_version() AS v').get()?.v)
}

/** Opens a connection that writes, and verifies the settings that durability needs. @throws AcuseError `store-failed`; SQLite's error */
export const openForWriting = (path: string, timeout: number, cacheMiB = 8): DatabaseSync =>
  closedOnFailure(new DatabaseSync(path, { timeout, enableForeignKeyConstraints: false }), (db) => {
    db.exec(`PRAGMA page_size=${PAGE_SIZE}`)
    db.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON')
    // F_FULLFSYNC: otherwise macOS acknowledges data that is only in the drive's cache. No effect on other systems.
    db.exec('PRAGMA fullfsync=1; PRAGMA checkpoint_fullfsync=1')
    // The store decides when to checkpoint; SQLite's automatic checkpoint would delay the next delivery.
    db.exec('PRAGMA wal_autocheckpoint=0')
    db.exec(`PRAGMA cache_size=-${cacheMiB * 1024}`)
    assertSettings(db, path)
    return db
  })

/** Page size of replays.db: its commits change a little on many pages, and SQLite writes whole pages. */
const QUEUE_PAGE_SIZE = 4_096
const QUEUE_LOG_BYTES = 32 * 1024 * 1024

/** Opens a connection whose commits survive the end of the process, but not a power cut: it does not sync. @throws SQLite's error */
export const openForQueues = (path: string, timeout: number): DatabaseSync =>
  closedOnFailure(new DatabaseSync(path, { timeout, enableForeignKeyConstraints: false }), (db) => {
    db.exec(`PRAGMA page_size=${QUEUE_PAGE_SIZE}`)
    db.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA secure_delete=ON')
    db.exec('PRAGMA checkpoint_fullfsync=1')
    db.exec(`PRAGMA wal_autocheckpoint=${QUEUE_LOG_BYTES / QUEUE_PAGE_SIZE}`)
    db.exec('PRAGMA cache_size=-16384')
    return db
  })

/** Opens a connection that only reads. It never checkpoints and never blocks the writer. */
export const openForReading = (path: string, cacheMiB = 4): DatabaseSync =>
  closedOnFailure(new DatabaseSync(path, { readOnly: true, timeout: 2_000 }), (db) => {
    db.exec(`PRAGMA synchronous=FULL; PRAGMA cache_size=-${cacheMiB * 1024}`)
    assertSettings(db, path)
    return db
  })

function assertSettings(db: DatabaseSync, path: string): void {
  const expected = { journal_mode: 'wal', synchronous: 2, page_size: PAGE_SIZE }
  for (const [pragma, wanted] of Object.entries(expected)) {
    const found = pragmaOf(db, pragma)
    if (found !== wanted)
      throw new AcuseError('store-failed', `${path}: SQLite kept ${pragma}=${found} instead of ${wanted}.`, {
        path,
      })
  }
}

export function pragmaOf(db: DatabaseSync, name: string): unknown {
  return Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0]
}

/** Runs `work` in a transaction that takes the write lock at its start, so that it cannot fail halfway for lack of the lock. */
export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    db.exec('COMMIT')
    return result
  } catch (error) {
    rollBack(db)
    throw error
  }
}

/** Like `inTransaction`, but a power cut may undo it. The connection's next ordinary transaction syncs it too. */
export function withoutSync<T>(db: DatabaseSync, work: () => T): T {
  db.exec('PRAGMA synchronous=NORMAL')
  try {
    return inTransaction(db, work)
  } finally {
    db.exec('PRAGMA synchronous=FULL')
  }
}

/** Runs `work` in a read transaction over all attached files, so that counts and rows agree. */
export function inSnapshot<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN')
  try {
    return work()
  } finally {
    rollBack(db)
  }
}

/** SQLite itself rolls back after some errors (full, I/O); a second ROLLBACK would fail and hide the first error. */
export function rollBack(db: DatabaseSync): void {
  if (db.isTransaction) db.exec('ROLLBACK')
}

export interface Sql {
  readonly text: string
  readonly values: readonly SQLInputValue[]
  /** Values of named parameters. */
  readonly named?: Readonly<Record<string, SQLInputValue>>
}
type Part = SQLInputValue | Sql

const isValue = (part: Part): part is SQLInputValue =>
  typeof part !== 'object' || part === null || !('text' in part)

/** Builds SQL from a template: values become bound parameters, nested `Sql` becomes part of the text. */
export function sql(texts: TemplateStringsArray, ...parts: readonly Part[]): Sql {
  let text = texts[0] ?? ''
  let named: Sql['named']
  const values: SQLInputValue[] = []
  for (const [at, part] of parts.entries()) {
    if (isValue(part)) values.push(part)
    else {
      for (const value of part.values) values.push(value)
      if (part.named) named = { ...named, ...part.named }
    }
    text += (isValue(part) ? '?' : part.text) + (texts[at + 1] ?? '')
  }
  return { text, values, ...(named && { named }) }
}

/** Inserts a text unescaped: a name, or SQL composed before. */
export const raw = (text: string | number, values: Sql['values'] = []): Sql => ({
  text: String(text),
  values,
})

/** A list for IN. */
export const oneOf = (values: readonly SQLInputValue[]): Sql =>
  raw(`(${values.map(() => '?').join(', ')})`, values)

export const joined = (parts: readonly Sql[], by: string): Sql =>
  raw(
    parts.map(({ text }) => text).join(by),
    parts.flatMap(({ values }) => values),
  )

type Rows = ReturnType<StatementSync['all']>

/** Cache of prepared statements of a connection, by text. Filters make new texts for ever, so the least recently used are evicted. */
export class Statements {
  readonly #db: DatabaseSync
  readonly #kept = new RecentlyUsed<StatementSync>(200)
  readonly #templates = new WeakMap<TemplateStringsArray, StatementSync>()
  /** The last insert into each table: rows of one loop have the same columns. */
  readonly #inserts = new Map<string, { names: readonly string[]; statement: StatementSync }>()

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  get(text: string): StatementSync {
    return this.#kept.get(text, () => this.#db.prepare(text))
  }

  all(texts: TemplateStringsArray, ...parts: readonly Part[]): Rows {
    const { statement, named, values } = this.#bound(texts, parts)
    return named ? statement.all(named, ...values) : statement.all(...values)
  }

  one(texts: TemplateStringsArray, ...parts: readonly Part[]): Rows[number] | undefined {
    const { statement, named, values } = this.#bound(texts, parts)
    return named ? statement.get(named, ...values) : statement.get(...values)
  }

  each(texts: TemplateStringsArray, ...parts: readonly Part[]): ReturnType<StatementSync['iterate']> {
    const { statement, named, values } = this.#bound(texts, parts)
    return named ? statement.iterate(named, ...values) : statement.iterate(...values)
  }

  run(texts: TemplateStringsArray, ...parts: readonly Part[]): ReturnType<StatementSync['run']> {
    const { statement, named, values } = this.#bound(texts, parts)
    return named ? statement.run(named, ...values) : statement.run(...values)
  }

  has(texts: TemplateStringsArray, ...parts: readonly Part[]): boolean {
    return this.one(texts, ...parts) !== undefined
  }

  /** The first value of the first row; 0 without a row, and for NULL. */
  number(texts: TemplateStringsArray, ...parts: readonly Part[]): number {
    return Number(this.value(texts, ...parts) ?? 0)
  }

  /** The first value of the first row; undefined without a row. */
  value(texts: TemplateStringsArray, ...parts: readonly Part[]): SQLOutputValue | undefined {
    return Object.values(this.one(texts, ...parts) ?? {})[0]
  }

  /** All rows as lists of values in the order of the columns, in about half the time of rows as objects. */
  lists(texts: TemplateStringsArray, ...parts: readonly Part[]): readonly (readonly unknown[])[] {
    const { statement, named = {}, values } = this.#bound(texts, parts)
    statement.setReturnArrays(true)
    try {
      // The types of node:sqlite know only rows as objects.
      const rows: unknown = statement.all(named, ...values)
      return rows as readonly (readonly unknown[])[]
    } finally {
      statement.setReturnArrays(false)
    }
  }

  /** Like `lists`, one row at a time. */
  *eachList(texts: TemplateStringsArray, ...parts: readonly Part[]): Generator<readonly unknown[]> {
    const { statement, named = {}, values } = this.#bound(texts, parts)
    statement.setReturnArrays(true)
    try {
      const rows: Iterable<unknown> = statement.iterate(named, ...values)
      for (const row of rows) yield row as readonly unknown[]
    } finally {
      statement.setReturnArrays(false)
    }
  }

  numbers(texts: TemplateStringsArray, ...parts: readonly Part[]): number[] {
    return this.lists(texts, ...parts).map(([first]) => Number(first))
  }

  texts(texts: TemplateStringsArray, ...parts: readonly Part[]): string[] {
    return this.lists(texts, ...parts).map(([first]) => String(first))
  }

  /** @param row values by column name in camel case: `startedAt` stands for `started_at` */
  insert(into: string, row: Readonly<Record<string, SQLInputValue>>): ReturnType<StatementSync['run']> {
    const names = Object.keys(row)
    let last = this.#inserts.get(into)
    if (!last || last.names.length !== names.length || names.some((name, at) => name !== last?.names[at])) {
      const columns = names.map(columnOf).join(', ')
      const text = `INSERT ${into} (${columns}) VALUES (${names.map(() => '?').join(', ')})`
      last = { names, statement: this.get(text) }
      this.#inserts.set(into, last)
    }
    return last.statement.run(...Object.values(row))
  }

  /** Updates the columns whose value is not undefined. @param row as for `insert` */
  update(table: string, row: Readonly<Record<string, SQLInputValue | undefined>>, where: Sql): void {
    const names = Object.keys(row).filter((name) => row[name] !== undefined)
    if (names.length === 0) return
    const statement = this.#kept.get(`${table} ${names} ${where.text}`, () => {
      const columns = names.map((name) => `${columnOf(name)} = ?`).join(', ')
      return this.#db.prepare(`UPDATE ${table} SET ${columns} WHERE ${where.text}`)
    })
    statement.run(...names.map((name) => row[name] ?? null), ...where.values)
  }

  /** A template without nested SQL is cached by identity, so that its text is composed only once. */
  #bound(texts: TemplateStringsArray, parts: readonly Part[]) {
    if (!parts.every(isValue)) {
      const { text, values, named } = sql(texts, ...parts)
      return { statement: this.get(text), named, values }
    }
    let statement = this.#templates.get(texts)
    if (!statement) {
      statement = this.get(texts.join('?'))
      this.#templates.set(texts, statement)
    }
    return { statement, named: undefined, values: parts }
  }
}

export abstract class Queries {
  protected readonly db: Statements

  constructor(db: Statements) {
    this.db = db
  }
}

export type SqlRow = Readonly<Record<string, unknown>>

const columnNames = new Map<string, string>()
function columnOf(name: string): string {
  const column = columnNames.get(name) ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  columnNames.set(name, column)
  return column
}

/** Some columns of a row under names in camel case: `startedAt` for `started_at`. */
export function columns<N extends string, T>(row: SqlRow, as: (value: unknown) => T, ...names: readonly N[]) {
  const found = {} as Record<N, T>
  for (const name of names) found[name] = as(row[columnOf(name)])
  return found
}

export const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)
export const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null)

/** Cache of at most `most` values by key; evicts the least recently used. */
export class RecentlyUsed<T> {
  readonly #kept = new Map<string, T>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  /** @param holds whether a cached value is still valid */
  get(key: string, make: () => T, holds: (known: T) => boolean = () => true): T {
    const known = this.#kept.get(key)
    const found = known !== undefined && holds(known) ? known : make()
    this.#kept.delete(key)
    this.#kept.set(key, found)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > this.#most && oldest !== undefined) this.#kept.delete(oldest)
    return found
  }

  has(key: string): boolean {
    return this.#kept.has(key)
  }

  clear(): void {
    this.#kept.clear()
  }
}

import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import { AcuseError } from '#contract/errors.ts'
import { closedOnFailure } from '../disk/files.ts'

/** 16 KiB pages hold a typical delivery of 2 KB at 1.07 times its size; the default of 4 KiB needs 1.55 times. */
export const PAGE_SIZE = 16_384

/** Below it a commit that races a checkpoint of another connection can lose committed data (sqlite.org/wal.html, the WAL-reset bug). */
const SAFE_VERSION = [3, 51, 3] as const

/** What to say of an old SQLite: a warning only, since one connection per database writes or checkpoints, which the bug cannot touch. */
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

/** Opens a connection that writes, with the settings that durability rests on, read back. @throws AcuseError `store-failed` or SQLite's */
export const openForWriting = (path: string, timeout: number, cacheMiB = 8): DatabaseSync =>
  closedOnFailure(new DatabaseSync(path, { timeout, enableForeignKeyConstraints: false }), (db) => {
    db.exec(`PRAGMA page_size=${PAGE_SIZE}`)
    db.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON')
    // F_FULLFSYNC: without it macOS acknowledges data that still lies in the drive's cache. No effect elsewhere.
    db.exec('PRAGMA fullfsync=1; PRAGMA checkpoint_fullfsync=1')
    // The store checkpoints in moments of its own choosing; SQLite's would fall on whichever delivery comes next.
    db.exec('PRAGMA wal_autocheckpoint=0')
    db.exec(`PRAGMA cache_size=-${cacheMiB * 1024}`)
    assertSettings(db, path)
    return db
  })

/** Pages of replays.db: its commits touch many places a little, and each page touched is written whole. */
const QUEUE_PAGE_SIZE = 4_096
const QUEUE_LOG_BYTES = 32 * 1024 * 1024

/** Opens a connection that writes what a power cut may lose, but not the end of the process: no sync at a commit. @throws SQLite's error */
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

/** Runs `work` in a transaction that takes the write lock at once, so that it cannot fail halfway for want of it. */
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

/** As `inTransaction`, for what a power cut may undo. All other transactions of the connection are synced, and all before them with them. */
export function withoutSync<T>(db: DatabaseSync, work: () => T): T {
  db.exec('PRAGMA synchronous=NORMAL')
  try {
    return inTransaction(db, work)
  } finally {
    db.exec('PRAGMA synchronous=FULL')
  }
}

/** Runs `work` on one snapshot of everything attached, so that counts and rows agree. */
export function inSnapshot<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN')
  try {
    return work()
  } finally {
    rollBack(db)
  }
}

/** SQLite rolls back by itself after some errors (full, I/O); a second ROLLBACK would hide the first error behind its own. */
export function rollBack(db: DatabaseSync): void {
  if (db.isTransaction) db.exec('ROLLBACK')
}

export interface Sql {
  readonly text: string
  readonly values: readonly SQLInputValue[]
  /** Values that the text names, wherever it does. */
  readonly named?: Readonly<Record<string, SQLInputValue>>
}
type Part = SQLInputValue | Sql

const isValue = (part: Part): part is SQLInputValue =>
  typeof part !== 'object' || part === null || !('text' in part)

/** SQL whose values stand in their places: they are bound. Another piece in such a place becomes part of the text. */
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

/** A text that is no value: a name, or SQL that was put together before. */
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

/** Statements by their text, prepared once per connection. Filters make new ones for ever, so the least recently used go. */
export class Statements {
  readonly #db: DatabaseSync
  readonly #kept = new RecentlyUsed<StatementSync>(200)
  readonly #templates = new WeakMap<TemplateStringsArray, StatementSync>()

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

  /** All rows as lists of values, in the order of the columns: read in about half the time of rows with names. */
  lists(texts: TemplateStringsArray, ...parts: readonly Part[]): readonly (readonly unknown[])[] {
    const { statement, named = {}, values } = this.#bound(texts, parts)
    statement.setReturnArrays(true)
    try {
      // The types of node:sqlite know only rows with names.
      const rows: unknown = statement.all(named, ...values)
      return rows as readonly (readonly unknown[])[]
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

  /** @param row values by the names of their columns, `startedAt` being `started_at` */
  insert(into: string, row: Readonly<Record<string, SQLInputValue>>): ReturnType<StatementSync['run']> {
    const names = Object.keys(row)
    const statement = this.#kept.get(`${into} ${names}`, () => {
      const columns = names.map(columnOf).join(', ')
      return this.#db.prepare(`INSERT ${into} (${columns}) VALUES (${names.map(() => '?').join(', ')})`)
    })
    return statement.run(...Object.values(row))
  }

  /** Changes the columns that are not undefined. @param row as `insert` takes it */
  update(table: string, row: Readonly<Record<string, SQLInputValue | undefined>>, where: Sql): void {
    const names = Object.keys(row).filter((name) => row[name] !== undefined)
    if (names.length === 0) return
    const statement = this.#kept.get(`${table} ${names} ${where.text}`, () => {
      const columns = names.map((name) => `${columnOf(name)} = ?`).join(', ')
      return this.#db.prepare(`UPDATE ${table} SET ${columns} WHERE ${where.text}`)
    })
    statement.run(...names.map((name) => row[name] ?? null), ...where.values)
  }

  /** A text without pieces is known by its place in the program, so that it need not be put together. */
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

/** Some columns of a row by their names here: `startedAt` is `started_at`. */
export function columns<N extends string, T>(row: SqlRow, as: (value: unknown) => T, ...names: readonly N[]) {
  const found = names.map((name) => [name, as(row[columnOf(name)])])
  return Object.fromEntries(found) as Record<N, T>
}

export const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)
export const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null)

/** Values by key; the least recently used go when there are too many. */
export class RecentlyUsed<T> {
  readonly #kept = new Map<string, T>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  /** @param holds whether a known value still does */
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

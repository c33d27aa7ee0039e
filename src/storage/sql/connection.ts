import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { AcuseError } from '#contract/errors.ts'

/** 16 KiB pages hold a typical delivery of 2 KB at 1.07 times its size; the default of 4 KiB needs 1.55 times. */
export const PAGE_SIZE = 16_384

/** Below it a commit that races a checkpoint of another connection can lose committed data (sqlite.org/wal.html, the WAL-reset bug). */
const SAFE_VERSION = [3, 51, 3] as const

/**
 * What to say about the age of SQLite. The store never has more than one connection per database that writes or checkpoints (readers
 * are opened read-only and do neither), which is the arrangement that the WAL-reset bug cannot touch; so an old SQLite is a warning only.
 * @returns null when there is nothing to say
 */
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

/**
 * Opens a connection that writes, with the settings durability rests on, read back from SQLite rather than trusted.
 * @throws SQLite's error, or AcuseError `store-failed` when a setting did not take
 */
export function openForWriting(path: string, busyMs: number, cacheMiB = 8): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: busyMs, enableForeignKeyConstraints: false })
  try {
    db.exec(`PRAGMA page_size=${PAGE_SIZE}`)
    db.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON')
    // F_FULLFSYNC: without it macOS acknowledges data that still lies in the drive's cache. No effect elsewhere.
    db.exec('PRAGMA fullfsync=1; PRAGMA checkpoint_fullfsync=1')
    // The store checkpoints in moments of its own choosing; SQLite's would fall on whichever delivery comes next.
    db.exec('PRAGMA wal_autocheckpoint=0')
    db.exec(`PRAGMA cache_size=-${cacheMiB * 1024}`)
    assertSettings(db, path)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Pages of replays.db: its commits touch many places a little, and each page touched is written whole. */
const QUEUE_PAGE_SIZE = 4_096
const QUEUE_LOG_BYTES = 32 * 1024 * 1024

/**
 * Opens a connection that writes what may be lost in a power cut, but not when the process ends: no sync at each commit. SQLite
 * checkpoints by itself, rarely.
 * @throws SQLite's error
 */
export function openForQueues(path: string, busyMs: number): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: busyMs, enableForeignKeyConstraints: false })
  try {
    db.exec(`PRAGMA page_size=${QUEUE_PAGE_SIZE}`)
    db.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA secure_delete=ON')
    db.exec('PRAGMA checkpoint_fullfsync=1')
    db.exec(`PRAGMA wal_autocheckpoint=${QUEUE_LOG_BYTES / QUEUE_PAGE_SIZE}`)
    db.exec('PRAGMA cache_size=-16384')
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Opens a connection that only reads. It never checkpoints and never blocks the writer. */
export function openForReading(path: string, cacheMiB = 4): DatabaseSync {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 2_000 })
  try {
    db.exec(`PRAGMA synchronous=FULL; PRAGMA cache_size=-${cacheMiB * 1024}`)
    assertSettings(db, path)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

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

/** Statements by their text, prepared once per connection. Filters make new ones for ever, so the least recently used go. */
export class Statements {
  readonly #db: DatabaseSync
  readonly #kept = new RecentlyUsed<StatementSync>(200)

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  get(sql: string): StatementSync {
    return this.#kept.get(sql, () => this.#db.prepare(sql))
  }
}

export type SqlRow = Readonly<Record<string, unknown>>

export const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)
export const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null)

/** Values by key; the least recently used go when there are too many. */
export class RecentlyUsed<T> {
  readonly #kept = new Map<string, T>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  get(key: string, make: () => T): T {
    const found = this.#kept.get(key) ?? make()
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

/** All rows of a query as lists of values, in the order of its columns: read in about half the time of rows with names. */
export function rowsAsLists(
  query: StatementSync,
  params: readonly SQLInputValue[],
  named: Readonly<Record<string, SQLInputValue>> = {},
): readonly (readonly unknown[])[] {
  query.setReturnArrays(true)
  // The types of node:sqlite know only rows with names.
  const rows: unknown = query.all(named, ...params)
  return rows as readonly (readonly unknown[])[]
}

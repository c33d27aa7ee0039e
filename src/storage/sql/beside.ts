import type { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { AcuseError } from '#contract/errors.ts'
import { identityOf, type StoreFiles, words } from '../disk/files.ts'

/** How often files are looked at: not for every page that is read, nor for every delivery that is sent. */
const LOOK_MS = 200

/** Read-only: a connection that writes or checkpoints there would be a second one (see `versionWarning`). */
const attach = (db: DatabaseSync, schema: string, path: string) =>
  db.prepare(`ATTACH ? AS ${schema}`).run(`${pathToFileURL(path).href}?mode=ro`)

function detach(db: DatabaseSync, ...schemas: readonly string[]): void {
  for (const { name } of db.prepare('PRAGMA database_list').all())
    if (schemas.includes(String(name))) db.exec(`DETACH ${name}`)
}

/** A table of a database that may not be there. */
export interface BesideTable {
  readonly schema: string
  readonly table: string
  /** Columns that are asked for, as CREATE TABLE takes them. */
  readonly columns: string
}
export const ATTEMPTS: BesideTable = {
  schema: 'replays',
  table: 'attempt',
  columns:
    'id INTEGER, delivery_id INTEGER, state INTEGER, ok INTEGER, status INTEGER, started_at INTEGER, target TEXT',
}
/** Documents of which the latest sweep of a connection missed an event. */
export const MISSED: BesideTable = { schema: 'sweeps', table: 'missed', columns: 'key TEXT' }

/** A database beside those of the deliveries, from when it comes to exist. Its table has its plain name, whether it is there or not. */
export class Beside {
  readonly #db: DatabaseSync
  readonly #path: string
  readonly #of: BesideTable
  #identity: string | null = null
  #lookedAt = Number.NEGATIVE_INFINITY

  constructor(db: DatabaseSync, path: string, of: BesideTable) {
    this.#db = db
    this.#path = path
    this.#of = of
    this.#standIn()
  }

  /** Call before reading, outside of a transaction. Never throws: without the other database the list is still whole. */
  ensure(): void {
    const now = performance.now()
    if (now - this.#lookedAt < LOOK_MS) return
    const found = identityOf(this.#path)
    // One that is not there yet is seen as soon as it is.
    if (found !== null) this.#lookedAt = now
    if (found === this.#identity) return
    this.release()
    if (found === null) return
    const { schema, table } = this.#of
    try {
      attach(this.#db, schema, this.#path)
      // Fails here, not in the first page, while it is being made; it is tried again at the next look.
      this.#db.prepare(`SELECT * FROM ${schema}.${table} LIMIT 1`).get()
      this.#db.exec(`DROP TABLE temp.${table}`)
      this.#identity = found
    } catch {
      this.release()
    }
  }

  /** Closes the file, until the next look. */
  release(): void {
    this.#identity = null
    this.#standIn()
    detach(this.#db, this.#of.schema)
  }

  #standIn(): void {
    const { table, columns } = this.#of
    this.#db.exec(`CREATE TEMP TABLE IF NOT EXISTS ${table} (${columns})`)
  }
}

export type CapturedPaths = Pick<StoreFiles, 'captured' | 'derived'>

/** captured.db and derived.db beside another database. Their tables are called by their plain names. */
export class Attachment {
  readonly #db: DatabaseSync
  readonly #paths: CapturedPaths
  #identity: string | null = null
  /** Until `reopen`: a file that is about to be renamed must not be opened again meanwhile. */
  #held = false
  #lookedAt = 0
  #opened = 0

  constructor(db: DatabaseSync, paths: CapturedPaths) {
    this.#db = db
    this.#paths = paths
  }

  /** How often they were opened anew: what was read before may have come from other files. */
  get opened(): number {
    return this.#opened
  }

  /** Call before reading, outside of a transaction: an open file goes on showing what was deleted. @throws AcuseError `store-failed` */
  ensure(): void {
    const { captured, derived } = this.#paths
    const unreadable = (why: string) =>
      new AcuseError('store-failed', `The deliveries cannot be read: ${why}.`, { path: captured })
    if (this.#held) throw unreadable('their database is being replaced')
    const now = performance.now()
    if (this.#identity !== null && now - this.#lookedAt < LOOK_MS) return
    try {
      const files = [identityOf(captured), identityOf(derived)]
      if (files.includes(null)) throw new Error('their files are not there')
      this.#lookedAt = now
      if (files.join() === this.#identity) return
      this.#detach()
      attach(this.#db, 'captured', captured)
      attach(this.#db, 'derived', derived)
      // Fails here, not in the first query, when a file is not yet what it will be.
      this.#db.prepare('SELECT 1 FROM delivery, analysis, progress LIMIT 1').get()
      this.#identity = files.join()
      this.#opened += 1
    } catch (error) {
      this.#detach()
      throw unreadable(words(error))
    }
  }

  /** Closes both files until `reopen`. Windows refuses to rename a file that is open. */
  hold(): void {
    this.#held = true
    this.#detach()
  }

  reopen(): void {
    this.#held = false
  }

  #detach(): void {
    this.#identity = null
    detach(this.#db, 'captured', 'derived')
  }
}

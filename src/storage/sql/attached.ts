import type { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { AcuseError } from '#contract/errors.ts'
import { identityOf, type StoreFiles, words } from '../disk/files.ts'

/** Shortest time between two checks of the files; pages and replays come more often. */
const CHECK_MS = 200

/** Read-only, because only one connection per database may write or checkpoint (see `versionWarning`). */
const attach = (db: DatabaseSync, schema: string, path: string) =>
  db.prepare(`ATTACH ? AS ${schema}`).run(`${pathToFileURL(path).href}?mode=ro`)

function detach(db: DatabaseSync, ...schemas: readonly string[]): void {
  for (const { name } of db.prepare('PRAGMA database_list').all())
    if (schemas.includes(String(name))) db.exec(`DETACH ${name}`)
}

/** A table of a database whose file may not exist. */
export interface OptionalTable {
  readonly schema: string
  readonly table: string
  /** The columns that queries use, in the syntax of CREATE TABLE. */
  readonly columns: string
}
export const ATTEMPTS: OptionalTable = {
  schema: 'replays',
  table: 'attempt',
  columns:
    'id INTEGER, delivery_id INTEGER, job INTEGER, state INTEGER, ok INTEGER, status INTEGER, started_at INTEGER, target TEXT',
}
/** Documents of which the latest sweep of a connection missed an event. */
export const MISSED: OptionalTable = { schema: 'sweeps', table: 'missed', columns: 'key TEXT' }

/** Attaches another database once its file exists. Until then an empty temporary table has the name of its table. */
export function createOptionalDatabase(db: DatabaseSync, path: string, of: OptionalTable) {
  let identity: string | null = null
  let checkedAt = Number.NEGATIVE_INFINITY
  standIn()

  /** Call before reading, outside of a transaction. Never throws: lists of deliveries work without the other database. */
  function ensure(): void {
    const now = performance.now()
    if (now - checkedAt < CHECK_MS) return
    const found = identityOf(path)
    // A missing file is looked for at every call, so that a new one is seen at once.
    if (found !== null) checkedAt = now
    if (found === identity) return
    release()
    if (found === null) return
    const { schema, table } = of
    try {
      attach(db, schema, path)
      // While the file is being made, this query fails here instead of in the first page; the next check tries again.
      db.prepare(`SELECT * FROM ${schema}.${table} LIMIT 1`).get()
      db.exec(`DROP TABLE temp.${table}`)
      identity = found
    } catch {
      release()
    }
  }

  /** Closes the file, until the next check. */
  function release(): void {
    identity = null
    standIn()
    detach(db, of.schema)
  }

  function standIn(): void {
    const { table, columns } = of
    db.exec(`CREATE TEMP TABLE IF NOT EXISTS ${table} (${columns})`)
  }

  return { ensure, release }
}
export type OptionalDatabase = ReturnType<typeof createOptionalDatabase>

export type CapturedPaths = Pick<StoreFiles, 'captured' | 'derived'>

/** Attaches captured.db and derived.db to another database. Queries use their tables by plain names. */
export class Attachment {
  readonly #db: DatabaseSync
  readonly #paths: CapturedPaths
  #identity: string | null = null
  /** Between `hold` and `reopen`, when a file that is about to be renamed must not be opened. */
  #held = false
  #checkedAt = 0
  #opened = 0

  constructor(db: DatabaseSync, paths: CapturedPaths) {
    this.#db = db
    this.#paths = paths
  }

  /** Number of times the files were opened; when it rises, earlier results may come from other files. */
  get opened(): number {
    return this.#opened
  }

  /** Call before reading, outside of a transaction: an open handle would still read a removed file. @throws AcuseError `store-failed` */
  ensure(): void {
    const { captured, derived } = this.#paths
    const unreadable = (why: string) =>
      new AcuseError('store-failed', `The deliveries cannot be read: ${why}.`, { path: captured })
    if (this.#held) throw unreadable('their database is being replaced')
    const now = performance.now()
    if (this.#identity !== null && now - this.#checkedAt < CHECK_MS) return
    try {
      const files = [identityOf(captured), identityOf(derived)]
      if (files.includes(null)) throw new Error('their files are not there')
      this.#checkedAt = now
      if (files.join() === this.#identity) return
      this.#detach()
      attach(this.#db, 'captured', captured)
      attach(this.#db, 'derived', derived)
      // An unfinished file must fail here, not in the first query.
      this.#db.prepare('SELECT 1 FROM delivery, analysis, progress LIMIT 1').get()
      this.#identity = files.join()
      this.#opened += 1
    } catch (error) {
      this.#detach()
      throw unreadable(words(error))
    }
  }

  /** Closes both files until `reopen`, because Windows refuses to rename an open file. */
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

import type { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { identityOf } from '../disk/files.ts'

/** How often the file is looked at: not for every page that is read. */
const LOOK_MS = 200

/** A table of a database that may not be there. */
export interface BesideTable {
  /** Name under which the database is attached. */
  readonly schema: string
  readonly table: string
  /** Columns that are asked for, as CREATE TABLE takes them. */
  readonly columns: string
}
export const ATTEMPTS: BesideTable = {
  schema: 'replays',
  table: 'attempt',
  columns: 'delivery_id INTEGER',
}
/** Documents of which the latest sweep of a connection missed an event. */
export const MISSED: BesideTable = { schema: 'sweeps', table: 'missed', columns: 'key TEXT' }

/**
 * A database beside those of the deliveries, read-only, from when it comes to exist. Its table has its plain name, whether it is there
 * or not, so that whatever asks for it may always do so. The file can be set aside and begun anew by the thread that writes it, so the
 * file itself is looked at now and then.
 */
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
    this.#lookedAt = now
    const found = identityOf(this.#path)
    if (found === this.#identity) return
    this.release()
    if (found === null) return
    const { schema, table } = this.#of
    try {
      this.#db.prepare(`ATTACH ? AS ${schema}`).run(`${pathToFileURL(this.#path).href}?mode=ro`)
      // Fails here, not in the first page, while it is being made; it is tried again at the next look.
      this.#db.prepare(`SELECT * FROM ${schema}.${table} LIMIT 1`).get()
      this.#db.exec(`DROP TABLE temp.${table}`)
      this.#identity = found
    } catch {
      this.release()
    }
  }

  /** Lets go of the file, until the next look. */
  release(): void {
    this.#identity = null
    this.#standIn()
    const { schema } = this.#of
    for (const { name } of this.#db.prepare('PRAGMA database_list').all())
      if (name === schema) this.#db.exec(`DETACH ${schema}`)
  }

  #standIn(): void {
    const { table, columns } = this.#of
    this.#db.exec(`CREATE TEMP TABLE IF NOT EXISTS ${table} (${columns})`)
  }
}

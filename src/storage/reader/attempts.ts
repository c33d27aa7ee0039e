import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type { DeliveryRow } from '#contract/delivery.ts'
import type { Statements } from '../sql/connection.ts'

/** How often the file is looked at: not for every page that is read. */
const LOOK_MS = 200

/** Stands in for the attempts while nothing was ever sent again, so that whatever asks for `attempt` may always do so. */
const NONE = 'CREATE TEMP TABLE IF NOT EXISTS attempt (delivery_id INTEGER)'

/**
 * replays.db beside the databases of deliveries, read-only, from when it comes to exist. Its attempts are `attempt`, whether it is
 * there or not. It can be set aside and begun anew by the thread that sends, so the file itself is looked at now and then.
 */
export class ReplaysBeside {
  readonly #db: DatabaseSync
  readonly #path: string
  #identity: string | null = null
  #lookedAt = Number.NEGATIVE_INFINITY

  constructor(db: DatabaseSync, path: string) {
    this.#db = db
    this.#path = path
    db.exec(NONE)
  }

  /** Call before reading, outside of a transaction. Never throws: without attempts the list is still whole. */
  ensure(): void {
    const now = performance.now()
    if (now - this.#lookedAt < LOOK_MS) return
    this.#lookedAt = now
    const found = identity(this.#path)
    if (found === this.#identity) return
    this.#release()
    if (found === null) return
    try {
      this.#db.prepare('ATTACH ? AS replays').run(`${pathToFileURL(this.#path).href}?mode=ro`)
      // Fails here, not in the first page, while it is being made; it is tried again at the next look.
      this.#db.prepare('SELECT delivery_id FROM replays.attempt LIMIT 1').get()
      this.#db.exec('DROP TABLE temp.attempt')
      this.#identity = found
    } catch {
      this.#release()
    }
  }

  #release(): void {
    this.#identity = null
    this.#db.exec(NONE)
    for (const { name } of this.#db.prepare('PRAGMA database_list').all())
      if (name === 'replays') this.#db.exec('DETACH replays')
  }
}

/**
 * Rows with the number of their attempts: one look-up by index for all of them.
 * @param statements of a connection with replays.db beside it; where it is not, or cannot be read, no attempt is known
 */
export function withAttempts<R extends DeliveryRow>(statements: Statements, rows: readonly R[]): R[] {
  const counts = countsOf(statements, rows)
  return rows.map((row) => ({ ...row, attempts: counts.get(row.id) ?? 0 }))
}

function countsOf(statements: Statements, rows: readonly DeliveryRow[]): ReadonlyMap<number, number> {
  try {
    const found = statements
      .get(
        'SELECT delivery_id, count(*) AS n FROM attempt WHERE delivery_id IN (SELECT value FROM json_each(?)) GROUP BY delivery_id',
      )
      .all(JSON.stringify(rows.map(({ id }) => id)))
    return new Map(found.map(({ delivery_id, n }) => [Number(delivery_id), Number(n)]))
  } catch {
    // A damaged replays.db must not be taken for damage of the deliveries: they would be set aside for it.
    return new Map()
  }
}

/** Null when there is no such file. */
function identity(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found ? `${found.dev}:${found.ino}` : null
}

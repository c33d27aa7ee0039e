import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { TimelineMark } from '#contract/timeline.ts'
import { Statements } from '../sql/connection.ts'

/** Marks drawn at once; the newest are kept. */
const MOST = 200
/** Sent by hand: several times count as one mark. */
const MOST_ATTEMPTS = 5_000

interface Source {
  readonly path: string
  /** Gives id, at, upto and label of what went on between two instants, newest first; bound: end, end, beginning. */
  readonly sql: string
  mark(row: Readonly<Record<string, unknown>>): TimelineMark
}

const activity = (row: Readonly<Record<string, unknown>>) => ({
  id: Number(row.id),
  at: Number(row.at),
  to: row.upto === null ? null : Number(row.upto),
  label: String(row.label ?? ''),
})

/**
 * When replays and sweeps ran, read from their databases. Asking the threads that own them would start those, for a window that may never
 * need them; a database that is not there, or cannot be read now, has no marks.
 */
export class Activities {
  readonly #sources: readonly Source[]
  readonly #open = new Map<
    string,
    { readonly file: number; readonly db: DatabaseSync; readonly sql: Statements }
  >()

  constructor(paths: { readonly replays: string; readonly sweeps: string }) {
    this.#sources = [
      {
        path: paths.replays,
        mark: (row) => ({ type: 'replay', ...activity(row) }),
        sql: `SELECT lane AS id, created_at AS at, ended_at AS upto, options ->> '$.to.target' AS label FROM job
              WHERE created_at < ? AND coalesce(ended_at, ?) >= ? ORDER BY lane DESC LIMIT ${MOST}`,
      },
      {
        path: paths.replays,
        mark: (row) => ({
          ...{ type: 'attempt', ...activity(row) },
          ...{ delivery: Number(row.delivery), times: Number(row.times) },
        }),
        // The index is named, for without it a million attempts would be gone through: a file that has none yet has no such marks.
        sql: `SELECT max(id) AS id, min(started_at) / 1000 AS at, max(started_at) / 1000 AS upto, target AS label,
              delivery_id AS delivery, count(*) AS times
              FROM (SELECT id, started_at, target, delivery_id FROM attempt INDEXED BY attempt_by_hand
                    WHERE job IS NULL AND forward IS NULL AND started_at < ? * 1000 AND started_at <= ? * 1000
                    AND started_at >= ? * 1000 ORDER BY started_at DESC LIMIT ${MOST_ATTEMPTS})
              GROUP BY delivery_id, target, started_at / 60000000 ORDER BY at DESC LIMIT ${MOST}`,
      },
      {
        path: paths.sweeps,
        mark: (row) => ({ type: 'sweep', ...activity(row) }),
        sql: `SELECT id, started_at AS at, ended_at AS upto, connection AS label FROM sweep
              WHERE started_at < ? AND coalesce(ended_at, ?) >= ? ORDER BY id DESC LIMIT ${MOST}`,
      },
    ]
  }

  /** @param from @param to milliseconds since the epoch */
  between(from: number, to: number): TimelineMark[] {
    return this.#sources.flatMap((source) => this.#read(source, from, to)).sort((a, b) => a.at - b.at)
  }

  close(): void {
    for (const { db } of this.#open.values()) db.close()
    this.#open.clear()
  }

  #read({ path, mark, sql }: Source, from: number, to: number): TimelineMark[] {
    try {
      const rows = this.#statements(path)?.get(sql).all(to, to, from) ?? []
      return rows.map(mark)
    } catch {
      // Being made, replaced or damaged: the timeline goes without these marks, and the file is opened anew at the next look.
      this.#drop(path)
      return []
    }
  }

  /** A database may be set aside and another take its place: the file tells. */
  #statements(path: string): Statements | undefined {
    const found = statSync(path, { throwIfNoEntry: false })
    const known = this.#open.get(path)
    if (known && known.file === found?.ino) return known.sql
    this.#drop(path)
    if (!found || found.size === 0) return undefined
    const db = new DatabaseSync(path, { readOnly: true, timeout: 200 })
    const opened = { file: found.ino, db, sql: new Statements(db) }
    this.#open.set(path, opened)
    return opened.sql
  }

  #drop(path: string): void {
    this.#open.get(path)?.db.close()
    this.#open.delete(path)
  }
}

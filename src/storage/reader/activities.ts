import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { TimelineMark } from '#contract/timeline.ts'
import { Statements } from '../sql/connection.ts'

/** Marks drawn at once; the newest are kept. */
const MOST = 200

interface Source {
  readonly path: string
  readonly type: TimelineMark['type']
  /** Gives id, at, upto and label of what went on between two instants, newest first. */
  readonly sql: string
}

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
        type: 'replay',
        sql: `SELECT lane AS id, created_at AS at, ended_at AS upto, options ->> '$.to.target' AS label FROM job
              WHERE created_at < ? AND coalesce(ended_at, ?) >= ? ORDER BY lane DESC LIMIT ${MOST}`,
      },
      {
        path: paths.sweeps,
        type: 'sweep',
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

  #read({ path, type, sql }: Source, from: number, to: number): TimelineMark[] {
    try {
      const rows = this.#statements(path)?.get(sql).all(to, to, from) ?? []
      return rows.map((row) => ({
        type,
        id: Number(row.id),
        at: Number(row.at),
        to: row.upto === null ? null : Number(row.upto),
        label: String(row.label ?? ''),
      }))
    } catch {
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

import type { DatabaseSync } from 'node:sqlite'
import { LOG_BOUND, type LogBound } from './bound.ts'
import type { NewEntry, Occurrence } from './entry.ts'
import {
  type BriefEntry,
  countLog,
  type FullEntry,
  type LogCounts,
  type LogQuery,
  readEntry,
  readLog,
} from './query.ts'
import { LogWriter } from './writer.ts'

/** The execution log: everything that was sent, everything that was not, and why; the newest of it, within a bound. */
export class ExecutionLog {
  readonly #db: DatabaseSync
  readonly #writer: LogWriter

  constructor(db: DatabaseSync, bound: LogBound = LOG_BOUND) {
    this.#db = db
    this.#writer = new LogWriter(db, bound)
  }

  event(occurrence: Occurrence): void {
    this.#writer.event(occurrence)
  }

  entry(entry: NewEntry): void {
    this.#writer.entry(entry)
  }

  brief(query: LogQuery): BriefEntry[] {
    this.#writer.flush()
    return readLog(this.#db, { ...query, brief: true })
  }

  full(query: LogQuery): FullEntry[] {
    this.#writer.flush()
    return readLog(this.#db, { ...query, brief: false })
  }

  get(id: number): FullEntry | undefined {
    this.#writer.flush()
    return readEntry(this.#db, id)
  }

  count(query: Omit<LogQuery, 'order' | 'limit'>): number {
    this.#writer.flush()
    return countLog(this.#db, query)
  }

  counts(): LogCounts {
    return this.#writer.counts()
  }

  clear(): void {
    this.#writer.clear()
  }

  /** Writes what has gathered; nothing may be logged after it and before the database is closed. */
  flush(): void {
    this.#writer.flush()
  }
}

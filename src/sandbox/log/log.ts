import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { LOG_BOUND, type LogBound, LogTrimmer } from './bound.ts'
import type { NewEntry, Occurrence } from './entry.ts'
import {
  type BriefEntry,
  countLog,
  type FullEntry,
  type LogCounts,
  type LogQuery,
  logCounts,
  readEntry,
  readLog,
} from './query.ts'

/** One transaction for the entries of this time: one per entry would be most of a dispatch's cost. */
const GATHER_MS = 25
const GATHER_MOST = 500

/**
 * The execution log: everything that was sent, everything that was not, and why; the newest of it, within a bound. Entries get their ids in
 * the order in which they were given.
 */
export class ExecutionLog {
  readonly #db: DatabaseSync
  readonly #insertEntry: StatementSync
  readonly #insertEvent: StatementSync
  readonly #markReached: StatementSync
  readonly #trimmer: LogTrimmer
  #entries: NewEntry[] = []
  #events: Occurrence[] = []
  #timer: NodeJS.Timeout | undefined
  #counts: LogCounts

  constructor(db: DatabaseSync, bound: LogBound = LOG_BOUND) {
    this.#db = db
    this.#trimmer = new LogTrimmer(db, bound)
    this.#counts = logCounts(db)
    this.#insertEntry = db.prepare(
      `INSERT INTO log (type, run, seq, kind, subject, status_id, cause, target_id, target_name, outcome, lost, laboratory, error,
         error_code, at, duration_ms, method, url, request_head, request_body, answer_status, answer_head, answer_body, answer_truncated)
       VALUES (?, ?, ?, ?, ?, (SELECT status_id FROM events WHERE seq = ?), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    this.#insertEvent = db.prepare(
      'INSERT OR REPLACE INTO events (seq, kind, subject, status_id, at) VALUES (?, ?, ?, ?, ?)',
    )
    this.#markReached = db.prepare('UPDATE log SET lost = 0 WHERE seq = ? AND target_id = ? AND lost')
  }

  event(occurrence: Occurrence): void {
    this.#events.push(occurrence)
    this.#gather()
  }

  entry(entry: NewEntry): void {
    this.#entries.push(entry)
    this.#gather()
  }

  brief(query: LogQuery): BriefEntry[] {
    this.flush()
    return readLog(this.#db, { ...query, brief: true })
  }

  full(query: LogQuery): FullEntry[] {
    this.flush()
    return readLog(this.#db, { ...query, brief: false })
  }

  get(id: number): FullEntry | undefined {
    this.flush()
    return readEntry(this.#db, id)
  }

  count(query: Omit<LogQuery, 'order' | 'limit'>): number {
    this.flush()
    return countLog(this.#db, query)
  }

  /** Kept up to date with each entry: the window asks every second, and counting a long log takes too long. */
  counts(): LogCounts {
    this.flush()
    return this.#counts
  }

  /** Writes what has gathered; nothing may be logged after it and before the database is closed. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#entries.length + this.#events.length === 0) return
    const entries = this.#entries
    const events = this.#events
    this.#entries = []
    this.#events = []
    this.#db.exec('BEGIN IMMEDIATE')
    try {
      for (const { seq, kind, subject, statusId, at } of events)
        this.#insertEvent.run(seq, kind, subject, statusId, at)
      for (const entry of entries) this.#write(entry)
      for (const gone of this.#trimmer.trim()) if (gone.type === 'event') this.#count(gone, -1)
      this.#db.exec('COMMIT')
    } catch (error) {
      this.#db.exec('ROLLBACK')
      this.#trimmer.forget()
      this.#counts = logCounts(this.#db)
      throw error
    }
  }

  /** Forgets everything, also what is still gathering. */
  clear(): void {
    this.#entries = []
    this.#events = []
    this.#db.exec('DELETE FROM log; DELETE FROM events')
    this.#trimmer.forget()
    this.#counts = logCounts(this.#db)
  }

  #write(entry: NewEntry): void {
    const { answer, seq, target } = entry
    const values = [
      entry.type,
      entry.run,
      seq,
      entry.kind,
      entry.subject,
      seq,
      entry.cause,
      target.id,
      target.name,
      entry.outcome,
      Number(entry.lost),
      JSON.stringify(entry.laboratory),
      entry.error?.message ?? null,
      entry.error?.code ?? null,
      entry.at,
      entry.durationMs,
      entry.method,
      entry.url,
      entry.requestHead,
      entry.requestBody,
      answer?.status ?? null,
      answer?.head ?? null,
      answer?.body ?? null,
      answer === null ? null : Number(answer.truncated),
    ]
    this.#insertEntry.run(...values)
    // A second sending may reach the receiver that the first one missed.
    const again = entry.type === 'event' && entry.outcome === 'delivered' && entry.laboratory.length > 0
    const found = again && seq !== null ? Number(this.#markReached.run(seq, target.id).changes) : 0
    if (entry.type !== 'event') return
    this.#count(entry, 1)
    this.#counts = { ...this.#counts, lost: this.#counts.lost - found }
  }

  #count({ outcome, lost }: Pick<NewEntry, 'lost'> & { readonly outcome: string }, change: 1 | -1): void {
    const { [outcome]: before = 0, ...others } = this.#counts.outcomes
    const now = before + change
    this.#counts = {
      outcomes: now === 0 ? others : { ...others, [outcome]: now },
      lost: this.#counts.lost + (lost ? change : 0),
    }
  }

  #gather(): void {
    if (this.#entries.length + this.#events.length >= GATHER_MOST) this.flush()
    else this.#timer ??= setTimeout(() => this.flush(), GATHER_MS)
  }
}

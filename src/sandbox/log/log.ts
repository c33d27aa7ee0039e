import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { SandboxLogBrief, SandboxLogEntry, SandboxLogQuery } from '#contract/sandbox.ts'
import {
  countLog,
  type LogCounts,
  type LogQuery,
  logCounts,
  type NewEntry,
  type Occurrence,
  readEntry,
  readLog,
} from './query.ts'

export interface LogBound {
  /** Entries; the oldest go first. */
  readonly entries: number
  /** Events that occurred, which tell what superseded a lost one: further back than entries go, since a subscription may want few kinds. */
  readonly events: number
}

export const LOG_BOUND: LogBound = { entries: 100_000, events: 1_000_000 }

/** Taken away at once: few enough not to be felt beside the writing, enough to be done rarely and to catch up with any writer. */
const BATCH = 1_000

type Trimmed = Pick<NewEntry, 'type' | 'outcome' | 'lost'>

/**
 * Keeps the log within its bound: search reads all of it, and a sandbox that ran for weeks must not fill the disk. Takes part in the
 * caller's transaction.
 */
export class LogTrimmer {
  readonly #db: DatabaseSync
  readonly #bound: LogBound
  /** Numbers below which nothing is left; null until they were read. */
  #oldestEntry: number | null = null
  #oldestEvent: number | null = null

  constructor(db: DatabaseSync, bound: LogBound) {
    this.#db = db
    this.#bound = bound
  }

  /** Takes one batch away where there is a whole one too many, so up to that much more than the bound may stand in the log. */
  trim(): readonly Trimmed[] {
    this.#oldestEvent ??= this.#edge('SELECT min(seq) AS at FROM events')
    if (this.#overfull('SELECT max(seq) AS at FROM events', this.#oldestEvent, this.#bound.events)) {
      this.#oldestEvent += BATCH
      this.#db.prepare('DELETE FROM events WHERE seq < ?').run(this.#oldestEvent)
    }
    this.#oldestEntry ??= this.#edge('SELECT min(id) AS at FROM log')
    if (!this.#overfull('SELECT max(id) AS at FROM log', this.#oldestEntry, this.#bound.entries)) return []
    this.#oldestEntry += BATCH
    const gone = this.#db
      .prepare('DELETE FROM log WHERE id < ? RETURNING type, outcome, lost')
      .all(this.#oldestEntry)
    return gone.map(({ type, outcome, lost }) => ({
      type: type as NewEntry['type'],
      outcome: outcome as NewEntry['outcome'],
      lost: lost === 1,
    }))
  }

  /** The log was emptied, or a transaction taken back. */
  forget(): void {
    this.#oldestEntry = null
    this.#oldestEvent = null
  }

  #overfull(newest: string, oldest: number | null, bound: number): oldest is number {
    const last = this.#edge(newest)
    return last !== null && oldest !== null && last - oldest + 1 >= bound + BATCH
  }

  #edge(sql: string): number | null {
    const at = this.#db.prepare(sql).get()?.at
    return typeof at === 'number' ? at : null
  }
}

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

  brief(query: LogQuery): SandboxLogBrief[] {
    this.flush()
    return readLog(this.#db, { ...query, brief: true })
  }

  full(query: LogQuery): SandboxLogEntry[] {
    this.flush()
    return readLog(this.#db, { ...query, brief: false })
  }

  get(id: number): SandboxLogEntry | undefined {
    this.flush()
    return readEntry(this.#db, id)
  }

  count(query: SandboxLogQuery): number {
    this.flush()
    return countLog(this.#db, query)
  }

  /** Kept up to date with each entry: the window asks every second, and counting a long log takes too long. */
  counts(): LogCounts {
    this.flush()
    return this.#counts
  }

  /** What became of the events of a run, with its newest entry. */
  ofRun(run: string): LogCounts & { readonly last: SandboxLogBrief | null } {
    const [last = null] = this.brief({ run, order: 'newest', limit: 1 })
    return { ...logCounts(this.#db, run), last }
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

  #count({ outcome, lost }: Pick<NewEntry, 'outcome' | 'lost'>, change: 1 | -1): void {
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

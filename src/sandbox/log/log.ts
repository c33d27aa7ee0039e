import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { SandboxLogBrief, SandboxLogQuery } from '#contract/sandbox.ts'
import {
  countLog,
  type FactsOf,
  type LogCounts,
  type LogQuery,
  logCounts,
  type NewEntry,
  type Occurrence,
  readBriefs,
  readEntries,
  readEntry,
} from './query.ts'

/** Rows kept of each table. Events show what superseded a lost one; they go further back, since a subscription may take few kinds. */
export const LOG_BOUND = { entries: 100_000, events: 1_000_000 }

/** Rows per deletion: few enough not to delay writes, enough to delete rarely and to keep up with any writer. */
const BATCH = 1_000

/** Longest wait before a batch is written. A transaction per entry would be most of a dispatch's cost. */
const GATHER_MS = 25
const GATHER_MOST = 500

/** Log of all attempts, and of deliveries not sent with the reason. Ids follow the order of the calls. */
export class ExecutionLog {
  readonly #db: DatabaseSync
  readonly #insertEntry: StatementSync
  readonly #insertEvent: StatementSync
  readonly #markReached: StatementSync
  readonly #bound: typeof LOG_BOUND
  readonly #factsOf: FactsOf
  #entries: NewEntry[] = []
  #events: Occurrence[] = []
  #timer: NodeJS.Timeout | undefined
  #counts: LogCounts

  constructor(db: DatabaseSync, factsOf: FactsOf = () => undefined, bound = LOG_BOUND) {
    this.#db = db
    this.#factsOf = factsOf
    this.#bound = bound
    this.#counts = logCounts(db)
    this.#insertEntry = db.prepare(
      `INSERT INTO log (type, run, seq, kind, subject, status_id, cause, target_id, target_name, outcome, lost, laboratory, error,
         error_code, at, duration_ms, method, url, request_head, request_body, answer_status, answer_head, answer_body, answer_truncated)
       VALUES (:type, :run, :seq, :kind, :subject, (SELECT status_id FROM events WHERE seq = :seq), :cause, :targetId, :targetName,
         :outcome, :lost, :laboratory, :error, :errorCode, :at, :durationMs, :method, :url, :requestHead, :requestBody, :status, :head,
         :body, :truncated)`,
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

  brief = (query: LogQuery) => readBriefs(this.#current(), query, this.#factsOf)
  full = (query: LogQuery) => readEntries(this.#current(), query, this.#factsOf)
  get = (id: number) => readEntry(this.#current(), id, this.#factsOf)
  count = (query: SandboxLogQuery) => countLog(this.#current(), query)

  /** Counts that each entry updates: the window polls every second, and counting a long log takes too long. */
  counts(): LogCounts {
    this.flush()
    return this.#counts
  }

  #current(): DatabaseSync {
    this.flush()
    return this.#db
  }

  ofRun(run: string): LogCounts & { readonly last: SandboxLogBrief | null } {
    const [last = null] = this.brief({ run, order: 'newest', limit: 1 })
    return { ...logCounts(this.#db, run), last }
  }

  /** Writes the batch. Call it last before the database closes. */
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
      this.#trim()
      this.#db.exec('COMMIT')
    } catch (error) {
      this.#db.exec('ROLLBACK')
      this.#counts = logCounts(this.#db)
      throw error
    }
  }

  clear(): void {
    this.#entries = []
    this.#events = []
    this.#db.exec('DELETE FROM log; DELETE FROM events')
    this.#counts = logCounts(this.#db)
  }

  #write(entry: NewEntry): void {
    const { target, lost, laboratory, error, answer, ...others } = entry
    this.#insertEntry.run({
      ...others,
      targetId: target.id,
      targetName: target.name,
      lost: Number(lost),
      laboratory: JSON.stringify(laboratory),
      error: error?.message ?? null,
      errorCode: error?.code ?? null,
      status: answer?.status ?? null,
      head: answer?.head ?? null,
      body: answer?.body ?? null,
      truncated: answer && Number(answer.truncated),
    })
    if (entry.type !== 'event') return
    // A duplicate may reach the receiver after the first sending failed.
    const again = entry.outcome === 'delivered' && laboratory.length > 0
    const found = again ? Number(this.#markReached.run(entry.seq, target.id).changes) : 0
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

  /**
   * Keeps the log within its bound: a search reads all of it, and a sandbox that runs for weeks must not fill the disk. Deletes a batch
   * once the surplus reaches BATCH rows, so the log may exceed its bound by up to that number.
   */
  #trim(): void {
    const event = this.#surplusEnd('events', 'seq', this.#bound.events)
    if (event !== null) this.#db.prepare('DELETE FROM events WHERE seq < ?').run(event)
    const entry = this.#surplusEnd('log', 'id', this.#bound.entries)
    if (entry === null) return
    const gone = this.#db.prepare('DELETE FROM log WHERE id < ? RETURNING type, outcome, lost').all(entry)
    for (const { type, outcome, lost } of gone)
      if (type === 'event') this.#count({ outcome: outcome as NewEntry['outcome'], lost: lost === 1 }, -1)
  }

  /** @returns the first key to keep, found from the least and greatest key; null while the surplus is below BATCH */
  #surplusEnd(table: string, key: string, bound: number): number | null {
    const end = (edge: 'min' | 'max'): number =>
      Number(this.#db.prepare(`SELECT ${edge}(${key}) AS at FROM ${table}`).get()?.at ?? 0)
    const first = end('min')
    return end('max') - first + 1 >= bound + BATCH ? first + BATCH : null
  }

  #gather(): void {
    if (this.#entries.length + this.#events.length >= GATHER_MOST) this.flush()
    else this.#timer ??= setTimeout(() => this.flush(), GATHER_MS)
  }
}

import type { DatabaseSync } from 'node:sqlite'

/** How much of the past the log keeps. */
export interface LogBound {
  /** Entries; the oldest go first. */
  readonly entries: number
  /** Events that occurred, which tell what superseded a lost one: further back than entries go, since a subscription may want few kinds. */
  readonly events: number
}

export const LOG_BOUND: LogBound = { entries: 100_000, events: 1_000_000 }

/** Taken away at once: few enough not to be felt beside the writing, enough to be done rarely and to catch up with any writer. */
const BATCH = 1_000

/** What was taken away, by what it was. */
export interface Trimmed {
  readonly type: string
  readonly outcome: string
  readonly lost: boolean
}

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
      type: String(type),
      outcome: String(outcome),
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

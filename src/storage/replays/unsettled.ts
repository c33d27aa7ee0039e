import { words } from '../files.ts'
import type { Statements } from '../sql/connection.ts'
import type { AttemptWriter } from './attempt-writer.ts'
import { CommitLog, type Work } from './commit-log.ts'
import { takeOver } from './take-over.ts'

/** Begun and ended attempts that wait at most before the database takes them. */
const AT_MOST = 256

/** Does the work in one transaction. */
type Transaction = (work: () => void) => void

/**
 * Commits that are in the log and not in the database yet. An attempt that begins and ends meanwhile costs the database one row instead of
 * three changes, and a thousand of them one transaction.
 */
export class Unsettled {
  readonly #statements: Statements
  readonly #writer: AttemptWriter
  readonly #transaction: Transaction
  readonly #log: CommitLog
  #works: Work[] = []
  #count = 0
  #generation: number

  /**
   * Takes over what a former process left in the log.
   * @param replays path of replays.db
   * @param now milliseconds
   */
  constructor(
    replays: string,
    statements: Statements,
    writer: AttemptWriter,
    transaction: Transaction,
    now: number,
    warn: (message: string) => void,
  ) {
    this.#statements = statements
    this.#writer = writer
    this.#transaction = transaction
    this.#log = new CommitLog(replays)
    try {
      this.#generation = this.#takeUp(now, warn)
    } catch (error) {
      this.#log.close()
      throw error
    }
  }

  /** @returns false when the database has to take it itself, at once; `settle` comes first then */
  take(work: Work): boolean {
    if (this.#count >= AT_MOST) this.settle()
    if (!this.#log.append(this.#generation, work)) return false
    this.#works.push(work)
    this.#count += work.ended.length + work.begun.length
    return true
  }

  /** Puts it into the database. Whatever else reads or changes attempts or entries comes after it. */
  settle(): void {
    if (this.#count === 0) return
    this.#transaction(() => {
      takeOver(this.#works, this.#writer)
      this.#write(this.#generation + 1)
    })
    this.#generation += 1
    this.#log.restart()
    this.#works = []
    this.#count = 0
  }

  /** Leaves nothing behind of what was settled. */
  clear(): void {
    this.#log.clear()
  }

  close(): void {
    this.#log.close()
  }

  /** @returns the generation to go on with */
  #takeUp(now: number, warn: (message: string) => void): number {
    const row = this.#statements.get("SELECT value FROM followed WHERE key = 'generation'").get()
    const left = row ? this.#log.read(Number(row.value)) : []
    // A fresh database has nothing to do with what the log holds.
    const next = row ? Number(row.value) + 1 : Math.max(Math.round(now), this.#log.first()) + 1
    try {
      this.#transaction(() => {
        takeOver(left, this.#writer)
        this.#write(next)
      })
    } catch (error) {
      warn(`The last attempts could not be taken over, so some may be sent again unmarked: ${words(error)}.`)
      this.#transaction(() => this.#write(next))
    }
    return next
  }

  #write(generation: number): void {
    this.#statements
      .get("INSERT OR REPLACE INTO followed (key, value) VALUES ('generation', ?)")
      .run(generation)
  }
}

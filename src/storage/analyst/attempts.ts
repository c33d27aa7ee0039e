import { Queries, type Statements } from '../sql/connection.ts'
import { readProgress, writeProgress } from '../sql/numbers.ts'

/** Number of times that a body may end the thread before it is never analysed again. */
const DEATHS = 2

/** Marks encoded or large bodies during their analysis. A mark found at an open names the batch that ended the thread: go one by one. */
export class Attempts extends Queries {
  /** First and last id of the batch that ended the thread; 0 for none. */
  readonly #first: number
  readonly #last: number
  readonly #deaths: number = 0

  constructor(statements: Statements) {
    super(statements)
    this.#first = readProgress(statements, 'attempting')
    this.#last = readProgress(statements, 'attempting_upto')
    if (this.#first === 0) return
    this.#deaths = readProgress(statements, 'attempt_deaths') + 1
    if (this.#first !== this.#last || this.#deaths < DEATHS) return
    statements.run`INSERT OR IGNORE INTO too_expensive (delivery_id) VALUES (${this.#first})`
    this.end()
    this.#first = 0
    this.#deaths = 0
  }

  suspects(id: number): boolean {
    return this.#first > 0 && id >= this.#first && id <= this.#last
  }

  begin(first: number, last: number): void {
    // A mark must survive the end of the process, not of the system, so the write need not wait for the disk.
    this.db.one`PRAGMA synchronous = NORMAL`
    writeProgress(this.db, {
      attempting: first,
      attempting_upto: last,
      attempt_deaths: this.suspects(first) ? this.#deaths : 0,
    })
    this.db.one`PRAGMA synchronous = FULL`
  }

  /** Call in the transaction that stores the results. */
  end(): void {
    writeProgress(this.db, { attempting: 0 })
  }
}

import { Queries, type Statements } from '../sql/connection.ts'
import { readProgress, writeProgress } from '../sql/numbers.ts'

/** So often a body may end the analysis before it is given up for good. */
const DEATHS = 2

/** Marks the bodies, coded or large, that are being analysed: a mark found at an open tells which batch to take one by one. */
export class Attempts extends Queries {
  /** The bodies of the batch that ended the analysis last. */
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
    // What a mark must survive is the end of the process, not that of the system: it waits for no disk.
    this.db.one`PRAGMA synchronous = NORMAL`
    writeProgress(this.db, {
      attempting: first,
      attempting_upto: last,
      attempt_deaths: this.suspects(first) ? this.#deaths : 0,
    })
    this.db.one`PRAGMA synchronous = FULL`
  }

  /** Belongs to the transaction that keeps what the analysis found. */
  end(): void {
    writeProgress(this.db, { attempting: 0 })
  }
}

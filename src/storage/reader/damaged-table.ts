import type { StatementSync } from 'node:sqlite'

export type DamagedRow = Readonly<Record<string, unknown>>

const ROWS = 200
/** The longest stretch of ids skipped at once behind a damaged page. */
const LONGEST_SKIP = 4_096

/**
 * The rows of one table that can still be read, in the order of their ids. Goes by ranges of ids around the damage: SQLite fails on a bad
 * page, not on the rows beside it.
 */
export class DamagedTable {
  readonly #prepare: (sql: string) => StatementSync
  readonly #table: 'delivery' | 'trashed'
  readonly #last: number
  #next: number
  #skip = 1

  /** @param table it may be missing: a database of an older Acuse has fewer */
  constructor(prepare: (sql: string) => StatementSync, table: 'delivery' | 'trashed') {
    this.#prepare = prepare
    this.#table = table
    const there = this.#isThere()
    this.#last = there ? this.#highest() : 0
    this.#next = there ? this.#lowest() : 1
  }

  get ended(): boolean {
    return this.#next > this.#last
  }

  /** The next rows; none where they cannot be read, and what lies behind them is next then. */
  read(): DamagedRow[] {
    const limit = this.#skip === 1 ? ROWS : 1
    try {
      const found = this.#prepare(`SELECT * FROM ${this.#table} WHERE id >= ? ORDER BY id LIMIT ?`).all(
        this.#next,
        limit,
      )
      const last = found.at(-1)
      this.#next = last ? Number(last.id) + 1 : this.#last + 1
      this.#skip = 1
      return found
    } catch {
      if (limit > 1) {
        const single = this.#single()
        if (single) return [single]
      }
      this.#next += this.#skip
      this.#skip = Math.min(LONGEST_SKIP, this.#skip * 2)
      return []
    }
  }

  /** Reads on behind a row: those after it were more than could be taken. */
  goBehind(id: number): void {
    this.#next = id + 1
  }

  #single(): DamagedRow | undefined {
    try {
      const found = this.#prepare(`SELECT * FROM ${this.#table} WHERE id = ?`).get(this.#next)
      this.#next += 1
      return found
    } catch {
      return undefined
    }
  }

  #isThere(): boolean {
    try {
      this.#prepare(`SELECT id FROM ${this.#table} LIMIT 0`)
      return true
    } catch {
      return false
    }
  }

  #highest(): number {
    try {
      return Number(this.#prepare(`SELECT max(id) AS id FROM ${this.#table}`).get()?.id ?? 0)
    } catch {
      // The right edge of the table is damaged: go on until nothing has come for a long while.
      return this.#lowest() + 10_000_000
    }
  }

  #lowest(): number {
    try {
      return Number(this.#prepare(`SELECT min(id) AS id FROM ${this.#table}`).get()?.id ?? 1)
    } catch {
      return 1
    }
  }
}

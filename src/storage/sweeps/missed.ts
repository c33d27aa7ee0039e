import type { Sweep } from '#contract/reconcile.ts'
import type { Statements } from '../sql/connection.ts'

/** The documents of which the latest sweep of each connection missed an event, for whoever filters deliveries by it. */
export class Missed {
  readonly #statements: Statements

  constructor(statements: Statements) {
    this.#statements = statements
  }

  /** Takes what a comparison found, unless a later sweep of the connection has said more. Treasury lists debts only: it says nothing. */
  take(sweep: Sweep, sweeps: readonly Sweep[], owing: ReadonlySet<string>): void {
    const latest = sweeps.find(saysWhatWasMissed)
    if (latest?.id !== sweep.id) return
    const { connection } = sweep
    const known = new Set(
      this.#statements
        .get('SELECT key FROM missed WHERE connection = ? AND sweep = ?')
        .all(connection, sweep.id)
        .map(({ key }) => String(key)),
    )
    if (known.size === owing.size && [...owing].every((key) => known.has(key))) return
    this.#statements.get('DELETE FROM missed WHERE connection = ?').run(connection)
    const add = this.#statements.get('INSERT INTO missed (key, connection, sweep) VALUES (?, ?, ?)')
    for (const key of owing) add.run(key, connection, sweep.id)
  }

  forget(sweep: number): void {
    this.#statements.get('DELETE FROM missed WHERE sweep = ?').run(sweep)
  }

  rename(previous: string, name: string): void {
    this.#statements
      .get('UPDATE OR REPLACE missed SET connection = ? WHERE connection = ?')
      .run(name, previous)
  }
}

/** What is not whole still says for certain what was missed of what it reached. */
const saysWhatWasMissed = ({ state, range }: Sweep): boolean =>
  range.route === 'accounting' && (state === 'complete' || state === 'incomplete')

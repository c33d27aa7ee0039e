import type { Statements } from '../sql/connection.ts'
import { readProgress, writeProgress } from './progress.ts'

/**
 * Deliveries that came back from the trash, below what analysis has reached, and wait to be analysed again. Which restorations have been
 * followed is kept in derived.db: whatever the process missed, or did not get to, is looked for when it is next opened.
 */
export class Restored {
  readonly #target: Statements
  #ids: number[] = []
  /** Followed as soon as nothing waits. */
  #upto: number

  /** @param reached every delivery up to this id has been analysed, or was restored */
  constructor(captured: Statements, derived: Statements, reached: number) {
    this.#target = derived
    this.#upto = readProgress(derived, 'restorations')
    const row = captured.get("SELECT value FROM meta WHERE key = 'restorations'").get()
    const now = Number(row?.value ?? 0)
    if (this.#upto === now) return
    this.#upto = now
    this.#ids = captured
      .get('SELECT id FROM delivery WHERE id <= ? ORDER BY id')
      .all(reached)
      .map(({ id }) => Number(id))
      .filter((id) => !this.#known(id))
    if (this.#ids.length === 0) writeProgress(derived, { restorations: now })
  }

  get waiting(): number {
    return this.#ids.length
  }

  /** @param restoration which of all restorations ever this was */
  add(ids: readonly number[], restoration: number): void {
    for (const id of ids) this.#ids.push(id)
    // One that was missed leaves the numbers apart, and the next open looks for it.
    if (restoration === this.#upto + 1) this.#upto = restoration
    if (this.#ids.length === 0) writeProgress(this.#target, { restorations: this.#upto })
  }

  /**
   * Gives the next ones, at most `limit`, to whoever analyses them; those that are analysed already are passed over.
   * @param give says whether it took the id; after the first that it did not take, nothing more is given
   * @returns for `settle` and `drop`
   */
  take(limit: number, give: (id: number) => boolean): number {
    let taken = 0
    for (const id of this.#ids.slice(0, limit)) {
      if (!this.#known(id) && !give(id)) break
      taken += 1
    }
    return taken
  }

  /** Call in the transaction that keeps what came of them. */
  settle(taken: number): void {
    if (taken === this.#ids.length) writeProgress(this.#target, { restorations: this.#upto })
  }

  /** Call once it is committed. */
  drop(taken: number): void {
    this.#ids.splice(0, taken)
  }

  #known(id: number): boolean {
    return this.#target.get('SELECT 1 FROM analysis WHERE delivery_id = ?').get(id) !== undefined
  }
}

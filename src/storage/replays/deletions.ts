import type { Statements } from '../sql/connection.ts'
import type { Bodies } from './bodies.ts'

/** Deliveries whose attempts go in one transaction. */
const AT_ONCE = 500

/** Attempts go with their deliveries: what was deleted from the store is not to live on in answers and headers. */
export class Deletions {
  readonly #statements: Statements
  readonly #bodies: Bodies

  constructor(statements: Statements, bodies: Bodies) {
    this.#statements = statements
    this.#bodies = bodies
  }

  /**
   * Whether deliveries were deleted since `settle`. Fewer deletions than were followed belong to a fresh database: the one set aside may
   * still be read back, and its attempts with it.
   */
  due(): boolean {
    const [now, followed] = [this.#now(), this.#followed()]
    if (now < followed) this.settle()
    return now > followed
  }

  /** Deliveries that have attempts and are gone, beyond `after`. Those in the trash may come back. */
  gone(after: number): readonly number[] {
    return this.#statements
      .get(
        `SELECT DISTINCT delivery_id AS id FROM attempt WHERE delivery_id > ?
         AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.id = attempt.delivery_id)
         AND NOT EXISTS (SELECT 1 FROM trashed d WHERE d.id = attempt.delivery_id) ORDER BY delivery_id LIMIT ${AT_ONCE}`,
      )
      .all(after)
      .map(({ id }) => Number(id))
  }

  /** Forgets the attempts of a delivery, except one that is on its way. */
  forget(delivery: number): void {
    const attempts = this.#statements
      .get('DELETE FROM attempt WHERE delivery_id = ? AND state <> 0 RETURNING answer_body, edited_body')
      .all(delivery)
    for (const { answer_body, edited_body } of attempts) {
      if (answer_body !== null) this.#bodies.drop(Number(answer_body))
      if (edited_body !== null) this.#bodies.drop(Number(edited_body))
    }
  }

  settle(): void {
    this.#statements
      .get("INSERT OR REPLACE INTO followed (key, value) VALUES ('deletions', ?)")
      .run(this.#now())
  }

  #now(): number {
    return Number(this.#statements.get("SELECT value FROM meta WHERE key = 'deletions'").get()?.value ?? 0)
  }

  #followed(): number {
    return Number(
      this.#statements.get("SELECT value FROM followed WHERE key = 'deletions'").get()?.value ?? 0,
    )
  }
}

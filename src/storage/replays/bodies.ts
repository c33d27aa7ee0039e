import { KnownBytes } from '../body/known-bytes.ts'
import { asBuffer } from '../body/stored-body.ts'
import { Queries, type Statements } from '../sql/connection.ts'
import { readMeta } from '../sql/numbers.ts'

/** Bodies of answers and of edited requests, each stored once for all attempts that share it. */
export class Bodies extends Queries {
  readonly #known = new KnownBytes()
  readonly #uses = new Map<number, number>()

  /** Call in a transaction, and `settle` at its end. @returns the id of the stored body; null for no bytes */
  keep(bytes: Uint8Array): number | null {
    if (bytes.byteLength === 0) return null
    const id = this.#known.idOf(asBuffer(bytes), (hash) => {
      const [found] = this.db.numbers`SELECT id FROM body WHERE hash = ${hash}`
      return found ?? Number(this.db.insert('INTO body', { uses: 0, hash, bytes }).lastInsertRowid)
    })
    this.#uses.set(id, (this.#uses.get(id) ?? 0) + 1)
    return id
  }

  settle(): void {
    for (const [id, uses] of this.#uses) this.db.run`UPDATE body SET uses = uses + ${uses} WHERE id = ${id}`
    this.#uses.clear()
  }

  /** Removes one reference, and deletes the body with the last one. */
  drop(id: number): void {
    const left = this.db.one`UPDATE body SET uses = uses - 1 WHERE id = ${id} RETURNING uses`
    if (left && Number(left.uses) > 0) return
    this.db.run`DELETE FROM body WHERE id = ${id}`
    this.#known.clear()
  }

  /** Call after a rollback: clears what the transaction cached. */
  forget(): void {
    this.#known.clear()
    this.#uses.clear()
  }

  slice(id: number | null, from: number, length: number): { bytes: Buffer; total: number } {
    if (id === null) return { bytes: Buffer.alloc(0), total: 0 }
    const row = this.db
      .one`SELECT length(bytes) AS total, substr(bytes, ${from + 1}, ${length}) AS slice FROM body WHERE id = ${id}`
    return { bytes: asBuffer(row?.slice), total: Number(row?.total ?? 0) }
  }
}

/** Deliveries whose attempts are deleted in one transaction. */
const AT_ONCE = 500

/** Deletes attempts with their deliveries, because answers and headers may repeat the deleted content. */
export class Deletions extends Queries {
  readonly #bodies: Bodies

  constructor(statements: Statements, bodies: Bodies) {
    super(statements)
    this.#bodies = bodies
  }

  /** Whether deliveries were deleted since `settle`. A fresh database has a lower count; then nothing is deleted, as salvage may follow. */
  due(): boolean {
    const followed = this.db.number`SELECT value FROM followed WHERE key = 'deletions'`
    const now = readMeta(this.db, 'deletions')
    if (now < followed) this.settle()
    return now > followed
  }

  /** Ids above `after` of deleted deliveries with attempts. Deliveries in the trash can be restored, so they do not count. */
  gone(after: number): readonly number[] {
    return this.db.numbers`SELECT DISTINCT delivery_id AS id FROM attempt WHERE delivery_id > ${after}
         AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.id = attempt.delivery_id)
         AND NOT EXISTS (SELECT 1 FROM trashed d WHERE d.id = attempt.delivery_id) ORDER BY delivery_id LIMIT ${AT_ONCE}`
  }

  /** Deletes the attempts of a delivery, except one in progress. */
  forget(delivery: number): void {
    const attempts = this.db
      .all`DELETE FROM attempt WHERE delivery_id = ${delivery} AND state <> 0 RETURNING answer_body, edited_body`
    for (const { answer_body, edited_body } of attempts) {
      if (answer_body !== null) this.#bodies.drop(Number(answer_body))
      if (edited_body !== null) this.#bodies.drop(Number(edited_body))
    }
  }

  settle(): void {
    this.db
      .run`INSERT OR REPLACE INTO followed (key, value) VALUES ('deletions', ${readMeta(this.db, 'deletions')})`
  }
}

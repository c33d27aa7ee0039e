import type { StatementSync } from 'node:sqlite'
import type { Item, ItemEnd, LaneCounts } from '#core/replay/ports.ts'
import type { Statements } from '../sql/connection.ts'

/** `item.state`. What is done or dropped has no row. */
export const WAITING = 0
const SENDING = 1
const FAILED = 2

const BEGIN = `UPDATE item SET state = ${SENDING}, tries = ? WHERE lane = ? AND delivery_id = ? AND state = ${WAITING}`
const LEAVE = `DELETE FROM item WHERE lane = ? AND delivery_id = ? AND state = ${SENDING}`
const PASS = `DELETE FROM item WHERE lane = ? AND delivery_id = ? AND state = ${WAITING}`
const PASS_BACK = `UPDATE item SET state = ?, tries = ? WHERE lane = ? AND delivery_id = ? AND state = ${WAITING}`
const GO_BACK = `UPDATE item SET state = ? WHERE lane = ? AND delivery_id = ? AND state = ${SENDING}`

const COUNTS = ['total', 'waiting', 'sending', 'done', 'failed', 'dropped', 'uncertain'] as const
type Count = (typeof COUNTS)[number]
export type Place = { readonly lane: number; readonly seq: number }

const NO_COUNTS: LaneCounts = {
  total: 0,
  waiting: 0,
  sending: 0,
  done: 0,
  failed: 0,
  dropped: 0,
  uncertain: 0,
}

const ADD = `UPDATE lane SET ${COUNTS.map((count) => `${count} = ${count} + ?`).join(', ')} WHERE id = ?`

/**
 * The queues. An entry's `seq` is its delivery's id, which rises with arrival. Every change of entries changes the counts of their lane
 * in the same transaction, so that they are never counted; `settle` writes what has added up.
 */
export class Lanes {
  readonly #statements: Statements
  readonly #begin: StatementSync
  readonly #leave: StatementSync
  readonly #goBack: StatementSync
  readonly #deltas = new Map<number, Record<Count, number>>()

  constructor(statements: Statements) {
    this.#statements = statements
    this.#begin = statements.get(BEGIN)
    this.#leave = statements.get(LEAVE)
    this.#goBack = statements.get(GO_BACK)
  }

  create(): number {
    return Number(this.#statements.get('INSERT INTO lane DEFAULT VALUES').run().lastInsertRowid)
  }

  /** What is on its way stays until it ends, so that its attempt is found should the process end first. */
  remove(lane: number): void {
    this.#statements.get(`DELETE FROM item WHERE lane = ? AND state <> ${SENDING}`).run(lane)
    this.#statements.get('DELETE FROM lane WHERE id = ?').run(lane)
  }

  counts(lane: number): LaneCounts {
    const row = this.#statements.get('SELECT * FROM lane WHERE id = ?').get(lane)
    if (!row) return NO_COUNTS
    return {
      total: Number(row.total),
      waiting: Number(row.waiting),
      sending: Number(row.sending),
      done: Number(row.done),
      failed: Number(row.failed),
      dropped: Number(row.dropped),
      uncertain: Number(row.uncertain),
    }
  }

  waiting(lane: number, afterSeq: number, limit: number): Item[] {
    return this.#statements
      .get(
        `SELECT delivery_id, received_at, document_key, tries, again FROM item
         WHERE lane = ? AND state = ${WAITING} AND delivery_id > ? ORDER BY delivery_id LIMIT ?`,
      )
      .all(lane, afterSeq, limit)
      .map((row) => ({
        lane,
        seq: Number(row.delivery_id),
        deliveryId: Number(row.delivery_id),
        receivedAt: Number(row.received_at),
        documentKey: typeof row.document_key === 'string' ? row.document_key : null,
        tries: Number(row.tries),
        again: row.again === 1,
      }))
  }

  /** Counts entries put into a lane. */
  added(lane: number, count: number): void {
    this.#count(lane, 'total', count)
    this.#count(lane, 'waiting', count)
  }

  /** A try of the entry begins. An entry that is gone by now (cleared, its forward removed) is passed over. */
  begin({ lane, seq }: Place, tries: number): void {
    if (this.#begin.run(tries, lane, seq).changes === 0) return
    this.#count(lane, 'waiting', -1)
    this.#count(lane, 'sending', 1)
  }

  end({ lane, seq }: Place, end: ItemEnd): void {
    const moved =
      end === 'done' || end === 'dropped'
        ? this.#leave.run(lane, seq)
        : this.#goBack.run(end === 'failed' ? FAILED : WAITING, lane, seq)
    if (moved.changes === 0) return
    this.#count(lane, 'sending', -1)
    this.#count(lane, end, 1)
  }

  /** `begin` and `end` in one. */
  pass({ lane, seq }: Place, tries: number, end: ItemEnd): void {
    const passed =
      end === 'done' || end === 'dropped'
        ? this.#statements.get(PASS).run(lane, seq)
        : this.#statements.get(PASS_BACK).run(end === 'failed' ? FAILED : WAITING, tries, lane, seq)
    if (passed.changes === 0) return
    this.#count(lane, 'waiting', -1)
    this.#count(lane, end, 1)
  }

  /** Failed entries wait again, their tries counted anew. */
  requeueFailed(lane: number): number {
    const moved = this.#statements
      .get(`UPDATE item SET state = ${WAITING}, tries = 0 WHERE lane = ? AND state = ${FAILED}`)
      .run(lane)
    const count = Number(moved.changes)
    this.#count(lane, 'failed', -count)
    this.#count(lane, 'waiting', count)
    return count
  }

  clearWaiting(lane: number): number {
    const gone = this.#statements.get(`DELETE FROM item WHERE lane = ? AND state = ${WAITING}`).run(lane)
    const count = Number(gone.changes)
    this.#count(lane, 'waiting', -count)
    this.#count(lane, 'dropped', count)
    return count
  }

  /** Entries left on their way by a former process wait again, marked. @returns their deliveries */
  recover(): readonly number[] {
    // A job that was still being made.
    this.#statements
      .get(
        'DELETE FROM lane WHERE id NOT IN (SELECT lane FROM job) AND id NOT IN (SELECT lane FROM forward_lane)',
      )
      .run()
    const left = this.#statements
      .get(
        `UPDATE item SET state = ${WAITING}, again = 1 WHERE state = ${SENDING} RETURNING lane, delivery_id`,
      )
      .all()
    for (const { lane } of left) {
      this.#count(Number(lane), 'sending', -1)
      this.#count(Number(lane), 'waiting', 1)
      this.#count(Number(lane), 'uncertain', 1)
    }
    this.#statements.get('DELETE FROM item WHERE lane NOT IN (SELECT id FROM lane)').run()
    return left.map((row) => Number(row.delivery_id))
  }

  /** Writes the counts of this transaction; the last thing in it. */
  settle(): void {
    for (const [lane, delta] of this.#deltas)
      this.#statements.get(ADD).run(...COUNTS.map((count) => delta[count]), lane)
    this.#deltas.clear()
  }

  /** The transaction is rolled back. */
  forget(): void {
    this.#deltas.clear()
  }

  #count(lane: number, count: Count, by: number): void {
    let delta = this.#deltas.get(lane)
    if (!delta) {
      delta = { ...NO_COUNTS }
      this.#deltas.set(lane, delta)
    }
    delta[count] += by
  }
}

import type { Item, ItemEnd, LaneCounts } from '#core/replay/ports.ts'
import { columns, joined, Queries, raw, sql, textOrNull } from '../sql/connection.ts'
import { zeros } from '../sql/numbers.ts'

/** Values of `item.state`. A done or dropped entry has no row. */
export const WAITING = 0
const SENDING = 1
const FAILED = 2

const COUNTS = ['total', 'waiting', 'sending', 'done', 'failed', 'dropped', 'uncertain'] as const
type Count = (typeof COUNTS)[number]
export type Place = { readonly lane: number; readonly seq: number }

const NO_COUNTS: LaneCounts = zeros(COUNTS)

/** The queues. Every change of entries updates the counts of the lane in the same transaction, so that reads need not count. */
export class Lanes extends Queries {
  readonly #deltas = new Map<number, Record<Count, number>>()

  create(): number {
    return Number(this.db.run`INSERT INTO lane DEFAULT VALUES`.lastInsertRowid)
  }

  /** An entry in sending stays until its end: if the process ends first, recovery finds the attempt by it. */
  remove(lane: number): void {
    this.db.run`DELETE FROM item WHERE lane = ${lane} AND state <> ${SENDING}`
    this.db.run`DELETE FROM lane WHERE id = ${lane}`
  }

  counts(lane: number): LaneCounts {
    const row = this.db.one`SELECT * FROM lane WHERE id = ${lane}`
    return row ? columns(row, Number, ...COUNTS) : NO_COUNTS
  }

  waiting(lane: number, afterSeq: number, limit: number): Item[] {
    return this.db.all`SELECT delivery_id, received_at, document_key, tries, again FROM item
         WHERE lane = ${lane} AND state = ${WAITING} AND delivery_id > ${afterSeq} ORDER BY delivery_id LIMIT ${limit}`.map(
      (row) => ({
        lane,
        seq: Number(row.delivery_id),
        ...columns(row, Number, 'deliveryId', 'receivedAt', 'tries'),
        documentKey: textOrNull(row.document_key),
        again: row.again === 1,
      }),
    )
  }

  added(lane: number, count: number): void {
    this.#count(lane, 'total', count)
    this.#count(lane, 'waiting', count)
  }

  /** Records that a try of the entry begins. Ignores an entry that is gone (cleared, or its forward removed). */
  begin({ lane, seq }: Place, tries: number): void {
    const { changes } = this.db.run`UPDATE item SET state = ${SENDING}, tries = ${tries}
      WHERE lane = ${lane} AND delivery_id = ${seq} AND state = ${WAITING}`
    if (changes !== 0) this.#move(lane, 'waiting', 'sending')
  }

  /** @param tries given when `begin` was not called: then this call records both */
  end({ lane, seq }: Place, end: ItemEnd, tries?: number): void {
    const [from, state] =
      tries === undefined ? (['sending', SENDING] as const) : (['waiting', WAITING] as const)
    const { changes } =
      end === 'done' || end === 'dropped'
        ? this.db.run`DELETE FROM item WHERE lane = ${lane} AND delivery_id = ${seq} AND state = ${state}`
        : this.db.run`UPDATE item SET state = ${end === 'failed' ? FAILED : WAITING},
            tries = coalesce(${tries ?? null}, tries) WHERE lane = ${lane} AND delivery_id = ${seq} AND state = ${state}`
    if (changes !== 0) this.#move(lane, from, end)
  }

  /** Queues failed entries again and resets their tries. @returns how many */
  requeueFailed(lane: number): number {
    const { changes } = this.db
      .run`UPDATE item SET state = ${WAITING}, tries = 0 WHERE lane = ${lane} AND state = ${FAILED}`
    this.#move(lane, 'failed', 'waiting', Number(changes))
    return Number(changes)
  }

  clearWaiting(lane: number): number {
    const { changes } = this.db.run`DELETE FROM item WHERE lane = ${lane} AND state = ${WAITING}`
    this.#move(lane, 'waiting', 'dropped', Number(changes))
    return Number(changes)
  }

  /** The id before the first delivery that waits or is in flight; undefined when there is none. */
  before(lane: number): number | undefined {
    return this.db
      .numbers`SELECT delivery_id - 1 FROM item WHERE lane = ${lane} AND state <> ${FAILED} ORDER BY delivery_id LIMIT 1`[0]
  }

  /** Removes entries that are not in flight, without counting them as dropped. */
  empty(lane: number): void {
    const { changes } = this.db.run`DELETE FROM item WHERE lane = ${lane} AND state = ${WAITING}`
    this.#count(lane, 'total', -Number(changes))
    this.#count(lane, 'waiting', -Number(changes))
    this.db.run`DELETE FROM item WHERE lane = ${lane} AND state = ${FAILED}`
  }

  /** Queues entries that a former process left in sending again, marked `again`. @returns the ids of their deliveries */
  recover(): readonly number[] {
    // A lane without a job or forward belongs to a job whose creation was interrupted.
    this.db
      .run`DELETE FROM lane WHERE id NOT IN (SELECT lane FROM job) AND id NOT IN (SELECT lane FROM forward_lane)`
    const left = this.db
      .all`UPDATE item SET state = ${WAITING}, again = 1 WHERE state = ${SENDING} RETURNING lane, delivery_id`
    for (const { lane } of left) {
      this.#move(Number(lane), 'sending', 'waiting')
      this.#count(Number(lane), 'uncertain', 1)
    }
    this.db.run`DELETE FROM item WHERE lane NOT IN (SELECT id FROM lane)`
    return left.map((row) => Number(row.delivery_id))
  }

  /** Writes the changed counts; call it last in a transaction. */
  settle(): void {
    for (const [lane, delta] of this.#deltas) {
      const sums = COUNTS.map((count) => sql`${raw(`${count} = ${count} +`)} ${delta[count]}`)
      this.db.run`UPDATE lane SET ${joined(sums, ', ')} WHERE id = ${lane}`
    }
    this.#deltas.clear()
  }

  forget(): void {
    this.#deltas.clear()
  }

  #move(lane: number, from: Count, to: Count, by = 1): void {
    this.#count(lane, from, -by)
    this.#count(lane, to, by)
  }

  #count(lane: number, count: Count, by: number): void {
    const delta = this.#deltas.get(lane) ?? { ...NO_COUNTS }
    this.#deltas.set(lane, delta)
    delta[count] += by
  }
}

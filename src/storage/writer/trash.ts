import { TRASH_KEPT_MS } from '#contract/values.ts'
import { Queries, raw } from '../sql/connection.ts'
import { readMeta, writeMeta } from '../sql/numbers.ts'
import { dropRest } from './annotations.ts'
import { RING_COLUMNS, type Ringed, ringed } from './intake.ts'

export interface TrashOrder {
  readonly ids: readonly number[]
  /** The filter that selected them; null when the user selected single deliveries. */
  readonly filter: string | null
  readonly sparePinned: boolean
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** The deletion that moved a delivery to the trash. */
export interface TrashedIn {
  /** Milliseconds since the epoch; null when it can no longer be read. */
  readonly at: number | null
  readonly filter: string | null
}

/** Limit of one advance of the trash's clock, which moves every ten minutes (facade/trash.ts). */
const LIVED_AT_ONCE_MS = 1_800_000

/** All columns of `delivery`, which `trashed` has too, besides its batch. */
const DELIVERY_COLUMNS = `id, received_at, receiving_us, took_us, endpoint, method, url, http_version, remote_address, remote_port, size,
  stored_bytes, answer_status, answer_id, rejected, malformed, upload, answered_by, synthetic, authenticated`

export interface TrashStep {
  readonly ids: readonly number[]
  readonly bytes: number
  /** Ring members among them; meaningless after a permanent deletion. */
  readonly ringed: readonly Ringed[]
}

export const NOTHING_MOVED: TrashStep = { ids: [], bytes: 0, ringed: [] }

/** The trash in captured.db. Call every method in a transaction; each takes a bounded time. */
export class Trash extends Queries {
  /** @param at milliseconds since the epoch @param filter as in TrashOrder */
  begin(at: number, filter: string | null, now = at): number {
    return this.db
      .number`INSERT INTO trash_batch (at, filter, lived) VALUES (${at}, ${filter}, ${this.#live(now)}) RETURNING id`
  }

  /** The batch for salvaged trash. An expired batch gets a new one, so that nothing is deleted right after its salvage. */
  adopted({ at, filter }: TrashedIn, now: number): number {
    const since = at !== null && at <= now && at + TRASH_KEPT_MS > now ? at : now
    const known = this.db.one`SELECT id FROM trash_batch WHERE at = ${since} AND filter IS ${filter}`
    return known ? Number(known.id) : this.begin(since, filter, now)
  }

  move(ids: readonly number[], batch: number): TrashStep {
    return sum(ids, (id) => {
      const taken = this.db.one`INSERT INTO trashed (${raw(DELIVERY_COLUMNS)}, batch)
          SELECT ${raw(DELIVERY_COLUMNS)}, ${batch} FROM delivery WHERE id = ${id}
          RETURNING ${raw(RING_COLUMNS)}`
      if (taken) this.db.run`DELETE FROM delivery WHERE id = ${id}`
      return taken
    })
  }

  /** Restores at most `limit` deliveries of a batch; the last one ends the batch. */
  restore(batch: number, limit: number): TrashStep {
    const step = sum(this.#of(batch, limit), (id) => {
      const taken = this.db
        .one`INSERT INTO delivery (${raw(DELIVERY_COLUMNS)}) SELECT ${raw(DELIVERY_COLUMNS)} FROM trashed WHERE id = ${id}
           RETURNING ${raw(RING_COLUMNS)}`
      if (taken) this.db.run`DELETE FROM trashed WHERE id = ${id}`
      return taken
    })
    this.#endIfEmpty(batch)
    return step
  }

  empty(batch: number, limit: number): TrashStep {
    const step = sum(this.#of(batch, limit), (id) => {
      const gone = this.db.one`DELETE FROM trashed WHERE id = ${id} RETURNING upload, ${raw(RING_COLUMNS)}`
      dropRest(this.db, id, gone?.upload)
      return gone
    })
    this.#endIfEmpty(batch)
    return step
  }

  exists(batch: number): boolean {
    return this.db.has`SELECT 1 FROM trash_batch WHERE id = ${batch}`
  }

  /** Batches that have been in the trash for a day, the oldest first. @param now milliseconds since the epoch; null: all batches */
  due(now: number | null): number[] {
    const upTo = now === null ? Number.MAX_SAFE_INTEGER : this.#live(now) - TRASH_KEPT_MS
    return this.db.numbers`SELECT id FROM trash_batch WHERE lived <= ${upTo} ORDER BY id`
  }

  /** Advances the trash's clock. It counts the time that Acuse ran, so that a system clock set two days ahead does not empty the trash. */
  #live(now: number): number {
    const before = readMeta(this.db, 'lived_at')
    const passed = before === 0 ? 0 : Math.min(Math.max(0, now - before), LIVED_AT_ONCE_MS)
    const lived = readMeta(this.db, 'lived') + passed
    writeMeta(this.db, 'lived', lived)
    writeMeta(this.db, 'lived_at', now)
    return lived
  }

  has(id: number): boolean {
    return this.db.has`SELECT 1 FROM trashed WHERE id = ${id}`
  }

  count(): { readonly deliveries: number; readonly bytes: number } {
    const row = this.db.one`SELECT count(*) AS n, coalesce(sum(stored_bytes), 0) AS bytes FROM trashed`
    return { deliveries: Number(row?.n), bytes: Number(row?.bytes) }
  }

  #of(batch: number, limit: number): number[] {
    return this.db.numbers`SELECT id FROM trashed WHERE batch = ${batch} ORDER BY id LIMIT ${limit}`
  }

  #endIfEmpty(batch: number): void {
    this.db
      .run`DELETE FROM trash_batch WHERE id = ${batch} AND NOT EXISTS (SELECT 1 FROM trashed WHERE batch = ${batch})`
  }
}

type Taken = Readonly<Record<string, unknown>> | undefined

function sum(ids: readonly number[], take: (id: number) => Taken): TrashStep {
  const done: number[] = []
  const members: Ringed[] = []
  let bytes = 0
  for (const id of ids) {
    const taken = take(id)
    if (!taken) continue
    done.push(id)
    bytes += Number(taken.stored_bytes)
    const member = ringed(taken)
    if (member) members.push(member)
  }
  return { ids: done, bytes, ringed: members }
}

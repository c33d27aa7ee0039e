import { TRASH_KEPT_MS } from '#contract/values.ts'
import type { Statements } from '../sql/connection.ts'
import { readMeta, writeMeta } from '../sql/numbers.ts'
import { forgetAnnotations } from './annotations.ts'
import { RING_COLUMNS, type Ringed, ringed } from './intake.ts'

/** What is to go into the trash. */
export interface TrashOrder {
  readonly ids: readonly number[]
  /** What selected them; null where single ones were meant. */
  readonly filter: string | null
  readonly sparePinned: boolean
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** The deletion by which a delivery came to lie in the trash. */
export interface TrashedIn {
  /** Milliseconds since the epoch; null when it can no longer be read. */
  readonly at: number | null
  /** As in `TrashOrder`. */
  readonly filter: string | null
}

/** What passes of the trash's clock between two looks at it at most; they are ten minutes apart (facade/trash.ts). */
const LIVED_AT_ONCE_MS = 1_800_000

/** Of `delivery`, and of `trashed` beside its batch. */
const DELIVERY_COLUMNS = `id, received_at, receiving_us, took_us, endpoint, method, url, http_version, remote_address, remote_port, size,
  stored_bytes, answer_status, answer_id, rejected, malformed, upload, answered_by, synthetic, authenticated`

/** What a step moved or deleted. */
export interface TrashStep {
  readonly ids: readonly number[]
  readonly bytes: number
  /** Those of a ring; for what left the trash for good this says nothing. */
  readonly ringed: readonly Ringed[]
}

export const NOTHING_MOVED: TrashStep = { ids: [], bytes: 0, ringed: [] }

/** Deletions that can be undone, in captured.db. Every method has to be called in a transaction; each takes a bounded time. */
export class Trash {
  readonly #statements: Statements

  constructor(statements: Statements) {
    this.#statements = statements
  }

  /** @param at milliseconds since the epoch @param filter null where single ones were meant */
  begin(at: number, filter: string | null, now = at): number {
    const row = this.#statements
      .get('INSERT INTO trash_batch (at, filter, lived) VALUES (?, ?, ?) RETURNING id')
      .get(at, filter, this.#live(now))
    return Number(row?.id)
  }

  /**
   * The batch for what lay in the trash of a database set aside: one for each deletion, however often it is asked for. Whose day was over
   * by now has a new one, for nothing should go as soon as it was brought back.
   */
  adopted({ at, filter }: TrashedIn, now: number): number {
    const since = at !== null && at <= now && at + TRASH_KEPT_MS > now ? at : now
    const known = this.#statements
      .get('SELECT id FROM trash_batch WHERE at = ? AND filter IS ?')
      .get(since, filter)
    return known ? Number(known.id) : this.begin(since, filter, now)
  }

  /** Moves those that are there. */
  move(ids: readonly number[], batch: number): TrashStep {
    return sum(ids, (id) => {
      const taken = this.#statements
        .get(
          `INSERT INTO trashed (${DELIVERY_COLUMNS}, batch) SELECT ${DELIVERY_COLUMNS}, ? FROM delivery WHERE id = ?
           RETURNING ${RING_COLUMNS}`,
        )
        .get(batch, id)
      if (taken) this.#statements.get('DELETE FROM delivery WHERE id = ?').run(id)
      return taken
    })
  }

  /** Puts at most `limit` of a batch back. The batch goes with its last one. */
  restore(batch: number, limit: number): TrashStep {
    const step = sum(this.#of(batch, limit), (id) => {
      const taken = this.#statements
        .get(
          `INSERT INTO delivery (${DELIVERY_COLUMNS}) SELECT ${DELIVERY_COLUMNS} FROM trashed WHERE id = ?
           RETURNING ${RING_COLUMNS}`,
        )
        .get(id)
      if (taken) this.#statements.get('DELETE FROM trashed WHERE id = ?').run(id)
      return taken
    })
    this.#endIfEmpty(batch)
    return step
  }

  /** Deletes at most `limit` of a batch for good. */
  empty(batch: number, limit: number): TrashStep {
    const step = sum(this.#of(batch, limit), (id) => {
      const gone = this.#statements
        .get(`DELETE FROM trashed WHERE id = ? RETURNING upload, ${RING_COLUMNS}`)
        .get(id)
      this.#statements.get('DELETE FROM payload WHERE delivery_id = ?').run(id)
      this.#statements.get('DELETE FROM pin WHERE delivery_id = ?').run(id)
      forgetAnnotations(this.#statements, id)
      if (typeof gone?.upload === 'string')
        this.#statements.get('DELETE FROM chunk WHERE upload = ?').run(gone.upload)
      return gone
    })
    this.#endIfEmpty(batch)
    return step
  }

  exists(batch: number): boolean {
    return this.#statements.get('SELECT 1 FROM trash_batch WHERE id = ?').get(batch) !== undefined
  }

  /** Batches whose day is over, the oldest first. @param now milliseconds since the epoch; null: all there are */
  due(now: number | null): number[] {
    const upTo = now === null ? Number.MAX_SAFE_INTEGER : this.#live(now) - TRASH_KEPT_MS
    return this.#statements
      .get('SELECT id FROM trash_batch WHERE lived <= ? ORDER BY id')
      .all(upTo)
      .map(({ id }) => Number(id))
  }

  /**
   * Moves the clock of the trash on to `now`. It counts the time in which Acuse ran: a wall clock that is set two days ahead must not
   * empty the trash for good, and from within it looks like two days in which the machine was off.
   */
  #live(now: number): number {
    const before = readMeta(this.#statements, 'lived_at')
    const passed = before === 0 ? 0 : Math.min(Math.max(0, now - before), LIVED_AT_ONCE_MS)
    const lived = readMeta(this.#statements, 'lived') + passed
    writeMeta(this.#statements, 'lived', lived)
    writeMeta(this.#statements, 'lived_at', now)
    return lived
  }

  /** Whether a delivery of that id lies here. */
  has(id: number): boolean {
    return this.#statements.get('SELECT 1 FROM trashed WHERE id = ?').get(id) !== undefined
  }

  count(): { readonly deliveries: number; readonly bytes: number } {
    const row = this.#statements
      .get('SELECT count(*) AS n, coalesce(sum(stored_bytes), 0) AS bytes FROM trashed')
      .get()
    return { deliveries: Number(row?.n), bytes: Number(row?.bytes) }
  }

  #of(batch: number, limit: number): number[] {
    return this.#statements
      .get('SELECT id FROM trashed WHERE batch = ? ORDER BY id LIMIT ?')
      .all(batch, limit)
      .map(({ id }) => Number(id))
  }

  #endIfEmpty(batch: number): void {
    this.#statements
      .get('DELETE FROM trash_batch WHERE id = ? AND NOT EXISTS (SELECT 1 FROM trashed WHERE batch = ?)')
      .run(batch, batch)
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

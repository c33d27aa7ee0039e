import { TRASH_KEPT_MS } from '#contract/trash-commands.ts'
import type { Statements } from '../sql/connection.ts'
import { forgetAnnotations } from './annotations.ts'
import type { TrashedIn } from './protocol.ts'

/** Of `delivery`, and of `trashed` beside its batch. */
const DELIVERY_COLUMNS = `id, received_at, receiving_us, took_us, endpoint, method, url, http_version, remote_address, remote_port, size,
  stored_bytes, answer_status, answer_id, rejected, malformed, upload, answered_by, synthetic`

/** What a step moved or deleted. */
export interface TrashStep {
  readonly ids: readonly number[]
  readonly bytes: number
  readonly rejected: number
}

const NOTHING: TrashStep = { ids: [], bytes: 0, rejected: 0 }

/** Deletions that can be undone, in captured.db. Every method has to be called in a transaction; each takes a bounded time. */
export class Trash {
  readonly #statements: Statements

  constructor(statements: Statements) {
    this.#statements = statements
  }

  /** @param at milliseconds since the epoch @param filter null where single ones were meant */
  begin(at: number, filter: string | null): number {
    const row = this.#statements
      .get('INSERT INTO trash_batch (at, filter) VALUES (?, ?) RETURNING id')
      .get(at, filter)
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
    return known ? Number(known.id) : this.begin(since, filter)
  }

  /** Moves those that are there. */
  move(ids: readonly number[], batch: number): TrashStep {
    return sum(ids, (id) => {
      const taken = this.#statements
        .get(
          `INSERT INTO trashed (${DELIVERY_COLUMNS}, batch) SELECT ${DELIVERY_COLUMNS}, ? FROM delivery WHERE id = ?
           RETURNING stored_bytes, rejected`,
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
           RETURNING stored_bytes, rejected`,
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
        .get('DELETE FROM trashed WHERE id = ? RETURNING stored_bytes, rejected, upload')
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

  /** Batches that were made up to an instant (milliseconds), the oldest first. */
  upTo(at: number): number[] {
    return this.#statements
      .get('SELECT id FROM trash_batch WHERE at <= ? ORDER BY id')
      .all(at)
      .map(({ id }) => Number(id))
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
  if (ids.length === 0) return NOTHING
  const done: number[] = []
  let [bytes, rejected] = [0, 0]
  for (const id of ids) {
    const taken = take(id)
    if (!taken) continue
    done.push(id)
    bytes += Number(taken.stored_bytes)
    if (taken.rejected === 1) rejected += 1
  }
  return { ids: done, bytes, rejected }
}

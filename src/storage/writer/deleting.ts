import type { TrashOutcome } from '#contract/delivery.ts'
import { refused } from '#contract/errors.ts'
import type { OneWay } from '#threads/expose.ts'
import type { Captured, Deleted } from './captured.ts'
import type { Quotas } from './intake.ts'
import type { WriterPushes } from './status.ts'
import type { TrashOrder } from './trash.ts'

/** Deliveries to move per transaction, in some milliseconds; arrivals are committed in between. */
const MOVED_AT_ONCE = 250
/** Deliveries to delete permanently per transaction; fewer, as their bodies are overwritten. */
const EMPTIED_AT_ONCE = 150

/** Deliveries that retention deletes per transaction, in about ten milliseconds; arrivals are committed in between. */
const PRUNED_AT_ONCE = 150

/** One batch, or all that have been in the trash for a day at an instant (milliseconds since the epoch); null: all batches. */
export type Emptying = { readonly batch: number } | { readonly due: number | null }

export interface PruneParams {
  readonly maxId: number
  /** True when the store exceeded its budget. */
  readonly forBudget?: boolean
  /** Upper bound of arrival in microseconds since the epoch; null for none. */
  readonly before: number | null
}

type Pruned = Omit<Deleted, 'ids'> & { readonly deliveries: number }

/** The parts of the writer that these functions need; `captured` throws while the database cannot be written. */
export interface DeletingWriter {
  readonly captured: Captured
  readonly tell: OneWay<WriterPushes>
  committed(): void
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Moves deliveries to the trash in slices. If the process ends in between, each delivery is either in the list or in the trash. */
export async function trash(writer: DeletingWriter, { ids, filter, sparePinned, at }: TrashOrder) {
  let sum: TrashOutcome = { batch: null, deliveries: 0, bytes: 0, pinnedExempt: 0 }
  for (let from = 0; from < ids.length; from += MOVED_AT_ONCE) {
    const slice = ids.slice(from, from + MOVED_AT_ONCE)
    const { batch, step, spared } = writer.captured.trash(slice, {
      batch: sum.batch,
      at,
      filter,
      sparePinned,
    })
    sum = {
      batch,
      deliveries: sum.deliveries + step.ids.length,
      bytes: sum.bytes + step.bytes,
      pinnedExempt: sum.pinnedExempt + spared,
    }
    tellDeleted(writer, step.ids, 'trashed')
    writer.committed()
    await turn()
  }
  return sum
}

/** Restores a batch in slices. @throws AcuseError `not-found` when the batch no longer exists */
export async function restore(writer: DeletingWriter, batch: number): Promise<{ deliveries: number }> {
  if (!writer.captured.inTrash(batch)) throw refused('not-found', 'not-in-trash', { batch })
  let deliveries = 0
  while (writer.captured.inTrash(batch)) {
    const { ids } = writer.captured.restore(batch, MOVED_AT_ONCE)
    deliveries += ids.length
    writer.tell.restored(ids, writer.captured.restorations)
    writer.committed()
    await turn()
  }
  return { deliveries }
}

export async function emptyTrash(writer: DeletingWriter, which: Emptying) {
  const batches = 'batch' in which ? [which.batch] : writer.captured.trashDue(which.due)
  let [deliveries, bytes] = [0, 0]
  for (const batch of batches)
    while (writer.captured.inTrash(batch)) {
      const step = writer.captured.emptyTrash(batch, EMPTIED_AT_ONCE)
      deliveries += step.ids.length
      bytes += step.bytes
      // Their results were deleted before, so no ids; but followers of the counter must learn of the deletion.
      writer.tell.deleted([], writer.captured.deletions, 'emptied')
      writer.committed()
      await turn()
    }
  return { deliveries, bytes }
}

/** Deletes the oldest deliveries permanently, without the trash, in slices. Pinned ones stay. */
export async function prune(writer: DeletingWriter, { maxId, before, forBudget = false }: PruneParams) {
  const condition = before === null ? '' : 'AND received_at < ?'
  const select = `SELECT id FROM delivery WHERE id <= ? ${condition} AND id NOT IN (SELECT delivery_id FROM pin) ORDER BY id LIMIT ?`
  const params = before === null ? [maxId] : [maxId, before]
  let sum: Pruned = { deliveries: 0, bytes: 0, oldest: null, newest: null }
  for (;;) {
    const rows = writer.captured.statements.get(select).all(...params, PRUNED_AT_ONCE)
    const step = writer.captured.delete(
      rows.map((row) => Number(row.id)),
      forBudget,
    )
    tellDeleted(writer, step.ids, 'retention')
    writer.committed()
    if (step.ids.length === 0) return sum
    sum = {
      deliveries: sum.deliveries + step.ids.length,
      bytes: sum.bytes + step.bytes,
      oldest: sum.oldest === null ? step.oldest : Math.min(sum.oldest, step.oldest ?? sum.oldest),
      newest: sum.newest === null ? step.newest : Math.max(sum.newest, step.newest ?? sum.newest),
    }
    await turn()
  }
}

/** Sets the quotas, and at once evicts the deliveries that exceed them. */
export function setQuotas(writer: DeletingWriter, quotas: Quotas): void {
  tellDeleted(writer, writer.captured.setQuotas(quotas), 'evicted')
  writer.committed()
}

function tellDeleted(
  writer: DeletingWriter,
  ids: readonly number[],
  reason: 'retention' | 'evicted' | 'trashed',
): void {
  if (ids.length > 0) writer.tell.deleted(ids, writer.captured.deletions, reason)
}

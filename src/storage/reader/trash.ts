import type { TrashBatch } from '#contract/trash-commands.ts'
import type { Statements } from '../sql/connection.ts'

/** What was deleted and can still be restored, the latest first. */
export function trashBatches(statements: Statements): Omit<TrashBatch, 'emptiedAt'>[] {
  return statements
    .get(
      `SELECT b.id, b.at, b.filter, count(*) AS n, sum(t.stored_bytes) AS bytes, min(t.received_at) AS oldest,
       max(t.received_at) AS newest FROM trash_batch b JOIN trashed t ON t.batch = b.id GROUP BY b.id ORDER BY b.id DESC`,
    )
    .all()
    .map((row) => ({
      batch: Number(row.id),
      at: Number(row.at),
      filter: typeof row.filter === 'string' ? row.filter : null,
      deliveries: Number(row.n),
      bytes: Number(row.bytes),
      oldest: Number(row.oldest),
      newest: Number(row.newest),
    }))
}

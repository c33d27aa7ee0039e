import type { TrashBatch } from '#contract/delivery.ts'
import { TRASH_KEPT_MS } from '#contract/values.ts'
import type { Statements } from '../sql/connection.ts'

/** What was deleted and can still be restored, the latest first. */
export function trashBatches(statements: Statements): TrashBatch[] {
  return statements
    .get(
      `SELECT b.id, b.at, b.filter, count(*) AS n, sum(t.stored_bytes) AS bytes, min(t.received_at) AS oldest,
       max(t.received_at) AS newest, b.lived, (SELECT value FROM meta WHERE key = 'lived') AS now_lived,
       (SELECT value FROM meta WHERE key = 'lived_at') AS lived_at FROM trash_batch b JOIN trashed t ON t.batch = b.id GROUP BY b.id ORDER BY b.id DESC`,
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
      // If Acuse runs from now on.
      emptiedAt: Number(row.lived_at) + TRASH_KEPT_MS - (Number(row.now_lived) - Number(row.lived)),
    }))
}

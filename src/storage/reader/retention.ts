import type { RetentionOutcome, RetentionParams, TrashBatch } from '#contract/delivery.ts'
import { TRASH_KEPT_MS } from '#contract/values.ts'
import type { Statements } from '../sql/connection.ts'
import { highestId } from '../sql/numbers.ts'

/** What retention would delete: unpinned deliveries up to `maxId` that arrived before `before` (microseconds), and what that comes to. */
export interface RetentionPlan {
  readonly maxId: number
  readonly before: number | null
  readonly outcome: RetentionOutcome
}

const UNPINNED = 'id NOT IN (SELECT delivery_id FROM pin)'

export function planRetention(statements: Statements, params: RetentionParams): RetentionPlan {
  const before = params.before === undefined ? null : params.before * 1_000
  const maxId = lastToGo(statements, params)
  const scope = before === null ? 'id <= ?' : 'id <= ? AND received_at < ?'
  const values = before === null ? [maxId] : [maxId, before]
  const going = statements
    .get(
      `SELECT count(*) AS n, coalesce(sum(stored_bytes), 0) AS bytes, min(received_at) AS oldest, max(received_at) AS newest
       FROM delivery WHERE ${scope} AND ${UNPINNED}`,
    )
    .get(...values)
  const exempt = statements
    .get(`SELECT count(*) AS n FROM delivery WHERE ${scope} AND id IN (SELECT delivery_id FROM pin)`)
    .get(...values)
  const trash = statements
    .get('SELECT count(*) AS n, coalesce(sum(stored_bytes), 0) AS bytes FROM trashed')
    .get()
  return {
    maxId,
    before,
    outcome: {
      deliveries: Number(going?.n),
      bytes: Number(going?.bytes),
      pinnedExempt: Number(exempt?.n),
      oldest: going?.oldest === null ? null : Number(going?.oldest),
      newest: going?.newest === null ? null : Number(going?.newest),
      trash: { deliveries: Number(trash?.n), bytes: Number(trash?.bytes) },
    },
  }
}

function lastToGo(statements: Statements, { keepNewest, freeBytes }: RetentionParams): number {
  if (keepNewest !== undefined) {
    const row = statements.get('SELECT id FROM delivery ORDER BY id DESC LIMIT 1 OFFSET ?').get(keepNewest)
    return Number(row?.id ?? 0)
  }
  if (freeBytes === undefined) return highestId(statements)
  let sum = 0
  let last = 0
  const rows = statements.get(`SELECT id, stored_bytes FROM delivery WHERE ${UNPINNED} ORDER BY id`).iterate()
  for (const row of rows) {
    last = Number(row.id)
    sum += Number(row.stored_bytes)
    if (sum >= freeBytes) break
  }
  return last
}

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

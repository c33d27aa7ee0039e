import type { RetentionOutcome, RetentionParams, TrashBatch } from '#contract/delivery.ts'
import { TRASH_KEPT_MS } from '#contract/values.ts'
import { columns, numberOrNull, type Statements, sql, textOrNull } from '../sql/connection.ts'
import { highestId } from '../sql/numbers.ts'

/** What retention would delete: unpinned deliveries up to id `maxId` that arrived before `before` (microseconds); and the outcome. */
export interface RetentionPlan {
  readonly maxId: number
  readonly before: number | null
  readonly outcome: RetentionOutcome
}

const PINNED = sql`id IN (SELECT delivery_id FROM pin)`

export function planRetention(statements: Statements, params: RetentionParams): RetentionPlan {
  const before = params.before === undefined ? null : params.before * 1_000
  const maxId = lastToGo(statements, params)
  const scope = sql`id <= ${maxId} AND received_at < ${before ?? Number.MAX_SAFE_INTEGER}`
  const going = statements.one`SELECT count(*) AS deliveries, coalesce(sum(stored_bytes), 0) AS bytes, min(received_at) AS oldest,
    max(received_at) AS newest FROM delivery WHERE ${scope} AND NOT ${PINNED}`
  const trash = statements.one`SELECT count(*) AS deliveries, coalesce(sum(stored_bytes), 0) AS bytes FROM trashed`
  return {
    maxId,
    before,
    outcome: {
      ...columns(going ?? {}, Number, 'deliveries', 'bytes'),
      pinnedExempt: statements.number`SELECT count(*) FROM delivery WHERE ${scope} AND ${PINNED}`,
      ...columns(going ?? {}, numberOrNull, 'oldest', 'newest'),
      trash: columns(trash ?? {}, Number, 'deliveries', 'bytes'),
    },
  }
}

function lastToGo(statements: Statements, { keepNewest, freeBytes, before }: RetentionParams): number {
  if (before !== undefined) {
    // What arrived after a young delivery is young, even if the clock was behind then. A time in the future proves nothing.
    const young = statements.one`SELECT id FROM delivery
      WHERE received_at BETWEEN ${before * 1_000} AND ${Date.now() * 1_000} ORDER BY id LIMIT 1`
    return young ? Number(young.id) - 1 : highestId(statements)
  }
  if (keepNewest !== undefined)
    return statements.number`SELECT id FROM delivery ORDER BY id DESC LIMIT 1 OFFSET ${keepNewest}`
  if (freeBytes === undefined) return highestId(statements)
  let sum = 0
  let last = 0
  for (const row of statements.each`SELECT id, stored_bytes FROM delivery WHERE NOT ${PINNED} ORDER BY id`) {
    last = Number(row.id)
    sum += Number(row.stored_bytes)
    if (sum >= freeBytes) break
  }
  return last
}

/** Batches of deleted deliveries that can still be restored, the latest first. */
export function trashBatches(statements: Statements): TrashBatch[] {
  return statements.all`SELECT b.id AS batch, b.at, b.filter, count(*) AS deliveries, sum(t.stored_bytes) AS bytes,
    min(t.received_at) AS oldest, max(t.received_at) AS newest, b.lived, (SELECT value FROM meta
    WHERE key = 'lived') AS now_lived, (SELECT value FROM meta WHERE key = 'lived_at') AS lived_at
    FROM trash_batch b JOIN trashed t ON t.batch = b.id GROUP BY b.id ORDER BY b.id DESC`.map((row) => ({
    ...columns(row, Number, 'batch', 'at', 'deliveries', 'bytes', 'oldest', 'newest'),
    filter: textOrNull(row.filter),
    // Provided that Acuse runs without a pause from now on.
    emptiedAt: Number(row.lived_at) + TRASH_KEPT_MS - (Number(row.now_lived) - Number(row.lived)),
  }))
}

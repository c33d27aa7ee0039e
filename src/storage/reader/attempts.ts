import type { DeliveryRow } from '#contract/delivery.ts'
import type { Statements } from '../sql/connection.ts'

/**
 * Rows with the number of their attempts: one look-up by index for all of them.
 * @param statements of a connection with replays.db beside it; where it is not, or cannot be read, no attempt is known
 */
export function withAttempts<R extends DeliveryRow>(statements: Statements, rows: readonly R[]): R[] {
  const counts = countsOf(statements, rows)
  return rows.map((row) => ({ ...row, attempts: counts.get(row.id) ?? 0 }))
}

function countsOf(statements: Statements, rows: readonly DeliveryRow[]): ReadonlyMap<number, number> {
  try {
    const found = statements
      .get(
        'SELECT delivery_id, count(*) AS n FROM attempt WHERE delivery_id IN (SELECT value FROM json_each(?)) GROUP BY delivery_id',
      )
      .all(JSON.stringify(rows.map(({ id }) => id)))
    return new Map(found.map(({ delivery_id, n }) => [Number(delivery_id), Number(n)]))
  } catch {
    // A damaged replays.db must not be taken for damage of the deliveries: they would be set aside for it.
    return new Map()
  }
}

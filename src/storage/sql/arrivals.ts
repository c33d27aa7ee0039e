import type { Statements } from './connection.ts'

/** The highest id of a delivery that is there; 0 where there is none. */
export function highestId(statements: Statements): number {
  return Number(statements.get('SELECT max(id) AS id FROM delivery').get()?.id ?? 0)
}

/**
 * The lowest id from which on everything was received since an instant (microseconds). Ids rise with arrival, so that twenty looks are
 * enough among a million.
 */
export function firstSince(statements: Statements, instant: number): number {
  const at = statements.get('SELECT id, received_at FROM delivery WHERE id >= ? ORDER BY id LIMIT 1')
  let low = 1
  let high = 1 + highestId(statements)
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const row = at.get(middle)
    if (!row || Number(row.received_at) >= instant) high = middle
    else low = Number(row.id) + 1
  }
  return low
}

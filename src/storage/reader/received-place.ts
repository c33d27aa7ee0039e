import type { Statements } from '../sql/connection.ts'
import { minuteOf } from '../sql/rollup-columns.ts'
import type { Place } from './scanned-set.ts'
import type { Selection } from './selection.ts'
import { deletionsFollowed } from './stored.ts'

/**
 * Where the members of a set that arrived in some stretch lie among what is analysed: analysis has an index of minutes. Ids rise with time,
 * but not strictly: a long body is stored long after it began to arrive, and clocks are set.
 * @param analysed every delivery up to this id is
 * @returns undefined when nothing tells
 */
export function placeOf(
  statements: Statements,
  { received }: Selection,
  analysed: number,
): Place | undefined {
  if (!received || !deletionsFollowed(statements)) return undefined
  const first = received.from === null ? Number.MIN_SAFE_INTEGER : minuteOf(received.from)
  const last = received.to === null ? Number.MAX_SAFE_INTEGER : minuteOf(received.to)
  const row = statements
    .get(
      'SELECT min(delivery_id) AS lowest, max(delivery_id) AS highest FROM analysis WHERE minute >= ? AND minute <= ?',
    )
    .get(first, last)
  if (typeof row?.lowest !== 'number') return { lowest: analysed + 1, highest: analysed }
  return { lowest: row.lowest, highest: Number(row.highest) }
}

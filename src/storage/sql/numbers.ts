import type { Statements } from './connection.ts'

export type MetaKey =
  /** Highest id ever filed; only kept when rows are deleted, since the rows themselves tell otherwise. */
  | 'last_id'
  /** Rows with an id up to `counted_upto`; what lies behind is counted when the store is opened. */
  | 'counted'
  | 'counted_upto'
  /** Deliveries that fell out of their ring, ever. */
  | 'rejected_evicted'
  | 'malformed_evicted'
  /** Deliveries deleted because the store passed its budget, ever. */
  | 'budget_deleted'
  /** The clock of the trash (trash.ts), and when it was last moved; milliseconds. */
  | 'lived'
  | 'lived_at'
  /** Raised by every deletion, so that derived data knows whether it has seen the last one. */
  | 'deletions'
  /** Raised by every change of notes and tags. */
  | 'annotated'
  /** Raised by everything that comes back from the trash, so that analysis knows whether it has seen the last of it. */
  | 'restorations'
  /** Written at every open, to find out whether the database takes a write. */
  | 'probe'
  /** The log from which deliveries are filed, and the position up to which they are. */
  | 'log'
  | 'filed'
  /** How far a spill journal of 0.1 has been read back. */
  | `replayed:${number}`

export function readMeta(statements: Statements, key: MetaKey): number {
  return statements.number`SELECT value FROM meta WHERE key = ${key}`
}

export function writeMeta(statements: Statements, key: MetaKey, value: number): void {
  statements.run`INSERT INTO meta (key, value) VALUES (${key}, ${value}) ON CONFLICT (key) DO UPDATE
    SET value = excluded.value`
}

type ProgressKey =
  /** Every delivery with an id up to this one has been analysed. */
  | 'analysed_upto'
  /** First and last of the coded or large bodies that are being analysed (Attempts), and how often these ended the thread. */
  | 'attempting'
  | 'attempting_upto'
  | 'attempt_deaths'
  /** The `deletions` and `restorations` of captured.db that have been followed. */
  | 'deletions'
  | 'restorations'

export function readProgress(statements: Statements, key: ProgressKey): number {
  return statements.number`SELECT value FROM progress WHERE key = ${key}`
}

export function writeProgress(statements: Statements, values: { readonly [K in ProgressKey]?: number }) {
  statements.run`INSERT INTO progress (key, value) SELECT key, value FROM json_each(${JSON.stringify(values)}) WHERE true
       ON CONFLICT (key) DO UPDATE SET value = excluded.value`
}

/** The first place between two where something does not hold any more; it holds up to there. */
export function bisect(from: number, end: number, holds: (place: number) => boolean): number {
  let [low, high] = [from, end]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (holds(middle)) low = middle + 1
    else high = middle
  }
  return low
}

export const zeros = <N extends string>(names: readonly N[]): Record<N, number> =>
  Object.fromEntries(names.map((name) => [name, 0])) as Record<N, number>

/** The highest id of a delivery that is there; 0 where there is none. */
export function highestId(statements: Statements): number {
  return statements.number`SELECT max(id) AS id FROM delivery`
}

/** The lowest id from which on everything was received since an instant (microseconds): ids rise with arrival. */
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

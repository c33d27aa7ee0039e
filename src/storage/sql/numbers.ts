import type { Statements } from './connection.ts'

export type MetaKey =
  /** Highest id ever filed. Written by deletions; without them the rows and `mirrored` tell it. */
  | 'last_id'
  /** Number of rows with an id up to `counted_upto`; every open counts the later ones. */
  | 'counted'
  | 'counted_upto'
  /** Deliveries ever evicted from their ring. */
  | 'rejected_evicted'
  | 'malformed_evicted'
  /** Deliveries ever deleted because the store exceeded its budget. */
  | 'budget_deleted'
  /** The clock of the trash, which runs only while Acuse does (writer/trash.ts), and when it last moved; milliseconds. */
  | 'lived'
  | 'lived_at'
  /** Counter of deletions, so that derived.db can tell whether it has followed the last one. */
  | 'deletions'
  /** Counter of changes of notes and tags. */
  | 'annotated'
  /** Counter of restorations from the trash, so that analysis can tell whether it has followed the last one. */
  | 'restorations'
  /** Written at every open, to test whether the database accepts a write. */
  | 'probe'
  /** Identity of the log that is being filed; the positions up to which it is filed and, at that time, was on the disk. */
  | 'log'
  | 'filed'
  | 'synced'
  /** Id up to which the records of a shared log are filed. */
  | 'mirrored'
  /** Offset up to which a spill journal of version 0.1 has been read. */
  | `replayed:${number}`

export function readMeta(statements: Statements, key: MetaKey): number {
  return statements.number`SELECT value FROM meta WHERE key = ${key}`
}

export function writeMeta(statements: Statements, key: MetaKey, value: number): void {
  statements.run`INSERT INTO meta (key, value) VALUES (${key}, ${value}) ON CONFLICT (key) DO UPDATE
    SET value = excluded.value`
}

type ProgressKey =
  /** Id up to which every delivery is analysed. */
  | 'analysed_upto'
  /** First and last id of the encoded or large bodies in analysis (Attempts), and how often these ended the thread. */
  | 'attempting'
  | 'attempting_upto'
  | 'attempt_deaths'
  /** The values of `deletions` and `restorations` in captured.db that analysis has followed. */
  | 'deletions'
  | 'restorations'

export function readProgress(statements: Statements, key: ProgressKey): number {
  return statements.number`SELECT value FROM progress WHERE key = ${key}`
}

export function writeProgress(statements: Statements, values: { readonly [K in ProgressKey]?: number }) {
  statements.run`INSERT INTO progress (key, value) SELECT key, value FROM json_each(${JSON.stringify(values)}) WHERE true
       ON CONFLICT (key) DO UPDATE SET value = excluded.value`
}

/** The first index in [from, end) for which `holds` is false, else `end`. `holds` must be true before that index only. */
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

/** The highest id of a stored delivery; 0 without one. */
export function highestId(statements: Statements): number {
  return statements.number`SELECT max(id) AS id FROM delivery`
}

/** The lowest id from which on all deliveries arrived since an instant (microseconds); relies on ids in order of arrival. */
export function firstSince(statements: Statements, instant: number): number {
  // An imported delivery has the place of its import, and an earlier time.
  const at = statements.get(
    'SELECT id, coalesce((SELECT at FROM imported WHERE delivery_id = id), received_at) AS received_at FROM delivery WHERE id >= ? ORDER BY id LIMIT 1',
  )
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

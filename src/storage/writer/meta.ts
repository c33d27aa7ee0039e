import type { Statements } from '../sql/connection.ts'

/** Numbers that the store remembers beside the rows. */
export type MetaKey =
  /** Highest id ever given out; only kept when rows are deleted, since the rows themselves tell otherwise. */
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
  /** How far a spill journal has been read back. */
  | `replayed:${number}`

export function readMeta(statements: Statements, key: MetaKey): number {
  return Number(statements.get('SELECT value FROM meta WHERE key = ?').get(key)?.value ?? 0)
}

export function writeMeta(statements: Statements, key: MetaKey, value: number): void {
  statements
    .get('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value')
    .run(key, value)
}

import type { Statements } from '../sql/connection.ts'

/** Numbers that analysis remembers. */
type ProgressKey =
  | 'analysis_version'
  /** Every delivery with an id up to this one has been analysed. */
  | 'analysed_upto'
  /** A large delivery being analysed: found at an open, it brought the thread down and is passed over. */
  | 'attempting'
  /** The `deletions` and `restorations` of captured.db that have been followed. */
  | 'deletions'
  | 'restorations'

export function readProgress(statements: Statements, key: ProgressKey): number {
  return Number(statements.get('SELECT value FROM progress WHERE key = ?').get(key)?.value ?? 0)
}

export function writeProgress(statements: Statements, key: ProgressKey, value: number): void {
  statements
    .get(
      'INSERT INTO progress (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    )
    .run(key, value)
}

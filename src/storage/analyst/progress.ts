import type { Statements } from '../sql/connection.ts'

/** Numbers that analysis remembers. */
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
  return Number(statements.get('SELECT value FROM progress WHERE key = ?').get(key)?.value ?? 0)
}

export function writeProgress(
  statements: Statements,
  values: { readonly [K in ProgressKey]?: number },
): void {
  statements
    .get(
      `INSERT INTO progress (key, value) SELECT key, value FROM json_each(?) WHERE true
       ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    )
    .run(JSON.stringify(values))
}

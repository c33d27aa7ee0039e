import type { DatabaseSync } from 'node:sqlite'
import { AcuseError } from '#contract/errors.ts'
import { inTransaction, pragmaOf } from './connection.ts'

/** One step of a schema. Steps are never edited once released: what they made lies on people's disks. */
export interface Migration {
  readonly version: number
  readonly up: string
}

/**
 * Brings a database to the newest schema, one transaction per step, so that a kill between two statements changes nothing.
 * @throws AcuseError `newer-schema` when a newer Acuse wrote it
 */
export function migrate(db: DatabaseSync, path: string, steps: readonly Migration[]): void {
  const newest = steps.at(-1)?.version ?? 0
  const found = Number(pragmaOf(db, 'user_version'))
  if (found > newest)
    throw new AcuseError(
      'newer-schema',
      `${path} was written by a newer Acuse (schema ${found}, this one knows ${newest}); use that version or another data folder.`,
      { path, found, newest },
    )
  for (const step of steps) {
    if (step.version <= found) continue
    inTransaction(db, () => {
      db.exec(step.up)
      db.exec(`PRAGMA user_version=${step.version}`)
    })
  }
}

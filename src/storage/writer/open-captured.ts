import type { DatabaseSync } from 'node:sqlite'
import { AcuseError } from '#contract/errors.ts'
import { words } from '../files.ts'
import { CAPTURED_APPLICATION_ID, CAPTURED_MIGRATIONS } from '../schema/captured.ts'
import { openForWriting } from '../sql/connection.ts'
import { BUSY_MS, openOwn, type SetAside } from '../sql/open-own.ts'
import { writeMeta } from './meta.ts'

/**
 * Opens captured.db: header, schema version, last row and a probe write. A damaged or foreign file is set aside, never deleted, and a
 * fresh one takes its place.
 * @param now milliseconds since the epoch; names the files set aside
 * @param held whether deliveries have been stored in it, as recorded outside of it
 * @throws AcuseError `newer-schema`; SQLite's or the file system's error when the database cannot be used now
 */
export function openCaptured(
  path: string,
  now: number,
  held: boolean,
): { db: DatabaseSync; setAside: SetAside | null } {
  return openOwn(
    {
      path,
      held,
      applicationId: CAPTURED_APPLICATION_ID,
      migrations: CAPTURED_MIGRATIONS,
      connect: (at) => openForWriting(at, BUSY_MS),
      probe(statements) {
        statements
          .get(
            'SELECT * FROM delivery d LEFT JOIN payload p ON p.delivery_id = d.id ORDER BY id DESC LIMIT 1',
          )
          .get()
        writeMeta(statements, 'probe', Date.now())
      },
    },
    now,
  )
}

/** A sentence for the status when the database cannot be used now. */
export function unusable(path: string, error: unknown): AcuseError {
  return error instanceof AcuseError
    ? error
    : new AcuseError('store-failed', `${path} cannot be used: ${words(error)}.`, { path })
}

import type { DatabaseSync } from 'node:sqlite'
import { AcuseError } from '#contract/errors.ts'
import { words } from '../files.ts'
import { SWEEPS_APPLICATION_ID, SWEEPS_MIGRATIONS } from '../migrations/sweeps/all.ts'
import { openForQueues } from '../sql/connection.ts'
import { BUSY_MS, openOwn } from '../sql/open-own.ts'

/**
 * Opens sweeps.db, made when it is not there. A damaged or foreign one is set aside, never deleted, and a fresh one takes its place.
 * @param warn then gets a sentence for the person
 * @throws AcuseError `newer-schema`, `store-failed`
 */
export function openSweeps(path: string, now: number, warn: (message: string) => void): DatabaseSync {
  try {
    const { db, setAside } = openOwn(
      {
        path,
        applicationId: SWEEPS_APPLICATION_ID,
        migrations: SWEEPS_MIGRATIONS,
        connect: (at) => openForQueues(at, BUSY_MS),
        probe(statements) {
          statements.get('SELECT * FROM sweep ORDER BY id DESC LIMIT 1').get()
          statements.get('SELECT * FROM sweep_item LIMIT 1').get()
          statements.get('SELECT * FROM sweep_raw LIMIT 1').get()
          statements.get('SELECT * FROM annotation, rebuilt LIMIT 1').get()
          statements.get("INSERT OR REPLACE INTO probed (key, at) VALUES ('open', ?)").run(now)
        },
      },
      now,
    )
    if (setAside)
      warn(
        `The record of sweeps could not be read (${setAside.reason}) and begins anew; it is kept as ${setAside.files[0]}. Deliveries are not affected; sweeps have to be made again.`,
      )
    // Documents that were joined by Number, for as long as the comparison is kept.
    db.exec(`PRAGMA temp_store=MEMORY;
      CREATE TEMP TABLE link (item INTEGER, document_key TEXT, PRIMARY KEY (item, document_key)) WITHOUT ROWID;
      CREATE INDEX temp.link_document ON link (document_key, item)`)
    return db
  } catch (error) {
    if (error instanceof AcuseError) throw error
    throw new AcuseError('store-failed', `${path} cannot be used: ${words(error)}.`, { path })
  }
}

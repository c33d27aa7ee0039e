import type { DatabaseSync } from 'node:sqlite'
import { SWEEPS_APPLICATION_ID, SWEEPS_MIGRATIONS } from '../schema/sweeps.ts'
import { openRecord } from '../sql/open-record.ts'

/** Documents that were joined by Number, for as long as the comparison is kept. */
const LINKS = `PRAGMA temp_store=MEMORY;
  CREATE TEMP TABLE link (item INTEGER, document_key TEXT, PRIMARY KEY (item, document_key)) WITHOUT ROWID;
  CREATE INDEX temp.link_document ON link (document_key, item)`

/**
 * Opens sweeps.db.
 * @param warn gets a sentence for the person when it was set aside
 * @throws AcuseError `newer-schema`, `store-failed`
 */
export function openSweeps(path: string, now: number, warn: (message: string) => void): DatabaseSync {
  return openRecord(
    {
      path,
      of: 'sweeps',
      lost: 'sweeps have to be made again',
      applicationId: SWEEPS_APPLICATION_ID,
      migrations: SWEEPS_MIGRATIONS,
      probe(statements) {
        statements.get('SELECT * FROM sweep ORDER BY id DESC LIMIT 1').get()
        statements.get('SELECT * FROM sweep_item LIMIT 1').get()
        statements.get('SELECT * FROM sweep_raw LIMIT 1').get()
        statements.get('SELECT * FROM annotation, rebuilt LIMIT 1').get()
        statements.get("INSERT OR REPLACE INTO probed (key, at) VALUES ('open', ?)").run(now)
      },
      ready: (db) => db.exec(LINKS),
    },
    now,
    warn,
  )
}

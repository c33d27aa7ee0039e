import type { DatabaseSync } from 'node:sqlite'
import { REPLAYS_APPLICATION_ID, REPLAYS_MIGRATIONS } from '../schema/replays.ts'
import { openRecord } from '../sql/open-record.ts'

/**
 * Opens replays.db.
 * @param warn gets a sentence for the person when it was set aside
 * @throws AcuseError `newer-schema`, `store-failed`
 */
export function openReplays(path: string, now: number, warn: (message: string) => void): DatabaseSync {
  return openRecord(
    {
      path,
      of: 'replays',
      lost: 'jobs and forwards have to be made again',
      applicationId: REPLAYS_APPLICATION_ID,
      migrations: REPLAYS_MIGRATIONS,
      probe(statements) {
        statements.get('SELECT * FROM attempt ORDER BY id DESC LIMIT 1').get()
        statements.get('SELECT * FROM job JOIN lane ON lane.id = job.lane LIMIT 1').get()
        statements.get('SELECT * FROM item LIMIT 1').get()
        statements.get("INSERT OR REPLACE INTO followed (key, value) VALUES ('probe', ?)").run(now)
      },
    },
    now,
    warn,
  )
}

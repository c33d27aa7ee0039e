import type { DatabaseSync } from 'node:sqlite'
import { AcuseError } from '#contract/errors.ts'
import { words } from '../files.ts'
import { REPLAYS_APPLICATION_ID, REPLAYS_MIGRATIONS } from '../migrations/replays/all.ts'
import { openForQueues } from '../sql/connection.ts'
import { BUSY_MS, openOwn } from '../sql/open-own.ts'

/**
 * Opens replays.db, made when it is not there. A damaged or foreign one is set aside, never deleted, and a fresh one takes its place.
 * @param warn then gets a sentence for the person
 * @throws AcuseError `newer-schema`, `store-failed`
 */
export function openReplays(path: string, now: number, warn: (message: string) => void): DatabaseSync {
  try {
    const { db, setAside } = openOwn(
      {
        path,
        applicationId: REPLAYS_APPLICATION_ID,
        migrations: REPLAYS_MIGRATIONS,
        connect: (at) => openForQueues(at, BUSY_MS),
        probe(statements) {
          statements.get('SELECT * FROM attempt ORDER BY id DESC LIMIT 1').get()
          statements.get('SELECT * FROM job JOIN lane ON lane.id = job.lane LIMIT 1').get()
          statements.get('SELECT * FROM item LIMIT 1').get()
          statements.get("INSERT OR REPLACE INTO followed (key, value) VALUES ('probe', ?)").run(now)
        },
      },
      now,
    )
    if (setAside)
      warn(
        `The record of replays could not be read (${setAside.reason}) and begins anew; it is kept as ${setAside.files[0]}. Deliveries are not affected; jobs and forwards have to be made again.`,
      )
    return db
  } catch (error) {
    if (error instanceof AcuseError) throw error
    throw new AcuseError('store-failed', `${path} cannot be used: ${words(error)}.`, { path })
  }
}

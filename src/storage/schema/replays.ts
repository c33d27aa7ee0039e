import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type Migrations, openRecord } from '../sql/open-own.ts'

/** "ACUR": distinguishes our database from another program's at the same path. */
const APPLICATION_ID = 1_094_931_794

export const REPLAYS_MIGRATIONS: Migrations = [
  // Attempts, and the queues of pending ones. Table names differ from those of captured.db and derived.db, both attached. A finished
  // delivery has no `item`, only its count in `lane`. An attempt in progress is found through its item, so that no index has to add and
  // remove it. `attempt` has its narrow columns first, so that a list never reads the headers behind them.
  `
    PRAGMA application_id = ${APPLICATION_ID};
    CREATE TABLE lane (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      total INTEGER NOT NULL DEFAULT 0,
      waiting INTEGER NOT NULL DEFAULT 0,
      sending INTEGER NOT NULL DEFAULT 0,
      done INTEGER NOT NULL DEFAULT 0,
      failed INTEGER NOT NULL DEFAULT 0,
      dropped INTEGER NOT NULL DEFAULT 0,
      uncertain INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE TABLE item (
      lane INTEGER NOT NULL,
      state INTEGER NOT NULL,
      delivery_id INTEGER NOT NULL,
      received_at INTEGER NOT NULL,
      document_key TEXT,
      tries INTEGER NOT NULL DEFAULT 0,
      again INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (lane, delivery_id)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE job (
      lane INTEGER PRIMARY KEY,
      source TEXT NOT NULL,
      options TEXT NOT NULL,
      state TEXT NOT NULL,
      paused_by TEXT,
      created_at INTEGER NOT NULL,
      ended_at INTEGER,
      last_error TEXT
    ) STRICT;
    CREATE TABLE forward (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL UNIQUE,
      settings TEXT
    ) STRICT;
    CREATE TABLE forward_lane (
      lane INTEGER PRIMARY KEY,
      forward INTEGER NOT NULL,
      target TEXT NOT NULL,
      fed_upto INTEGER NOT NULL,
      UNIQUE (forward, target)
    ) STRICT;
    CREATE TABLE attempt (
      id INTEGER PRIMARY KEY,
      delivery_id INTEGER NOT NULL,
      job INTEGER,
      forward INTEGER,
      state INTEGER NOT NULL,
      ok INTEGER,
      status INTEGER,
      started_at INTEGER NOT NULL,
      took_us INTEGER,
      answer_size INTEGER,
      edited INTEGER NOT NULL,
      again INTEGER NOT NULL,
      try INTEGER NOT NULL,
      target TEXT NOT NULL,
      method TEXT NOT NULL,
      url TEXT NOT NULL,
      answer_digest TEXT,
      error TEXT,
      body_size INTEGER NOT NULL,
      edited_body INTEGER,
      answer_body INTEGER,
      answer_kept INTEGER,
      lookup_us INTEGER,
      connect_us INTEGER,
      tls_us INTEGER,
      send_us INTEGER,
      wait_us INTEGER,
      receive_us INTEGER,
      address TEXT,
      reused INTEGER,
      status_text TEXT,
      secret_names TEXT,
      headers BLOB NOT NULL,
      answer_headers BLOB
    ) STRICT;
    CREATE INDEX attempt_delivery ON attempt (delivery_id);
    CREATE INDEX attempt_job ON attempt (job) WHERE job IS NOT NULL;
    CREATE INDEX attempt_forward ON attempt (forward) WHERE forward IS NOT NULL;
    CREATE INDEX attempt_delivery_failed ON attempt (delivery_id) WHERE (ok = 0 OR state = 3);
    CREATE INDEX attempt_job_failed ON attempt (job) WHERE job IS NOT NULL AND (ok = 0 OR state = 3);
    CREATE INDEX attempt_forward_failed ON attempt (forward) WHERE forward IS NOT NULL AND (ok = 0 OR state = 3);
    CREATE INDEX attempt_by_hand_sending ON attempt (state) WHERE state = 0 AND job IS NULL AND forward IS NULL;
    CREATE TABLE body (
      id INTEGER PRIMARY KEY,
      uses INTEGER NOT NULL,
      hash BLOB NOT NULL UNIQUE,
      bytes BLOB NOT NULL
    ) STRICT;
    CREATE TABLE followed (key TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  `,
  // Attempts by hand, by time, for the timeline: jobs and forwards may have made a million attempts in between.
  'CREATE INDEX attempt_by_hand ON attempt (started_at) WHERE job IS NULL AND forward IS NULL',
  // What a session file brought here. Behind the headers, but 0 and 1 take no bytes there, so a list still does not read them.
  `
    ALTER TABLE attempt ADD COLUMN imported INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE job ADD COLUMN imported INTEGER NOT NULL DEFAULT 0;
  `,
]

/** Opens replays.db, as `openRecord` does. */
export function openReplays(path: string, warn: (message: string) => void): DatabaseSync {
  return openRecord(
    {
      path,
      of: 'replays',
      lost: 'jobs and forwards have to be made again',
      applicationId: APPLICATION_ID,
      migrations: REPLAYS_MIGRATIONS,
      probe(statements) {
        statements.one`SELECT * FROM attempt ORDER BY id DESC LIMIT 1`
        statements.one`SELECT * FROM job JOIN lane ON lane.id = job.lane LIMIT 1`
        statements.one`SELECT * FROM item LIMIT 1`
        statements.run`INSERT OR REPLACE INTO followed (key, value) VALUES ('probe', ${Date.now()})`
      },
    },
    warn,
  )
}

const LEFT_OVER = `SELECT EXISTS (SELECT 1 FROM job WHERE state NOT IN ('done', 'cancelled'))
  OR EXISTS (SELECT 1 FROM forward WHERE settings ->> '$.enabled' AND NOT settings ->> '$.temporary') AS found`

/** Whether a job is unfinished or a forward is on; without either, no thread is needed. True also when the file cannot be read. */
export function hasLeftOver(path: string): boolean {
  if (!existsSync(path)) return false
  try {
    using db = new DatabaseSync(path, { readOnly: true, timeout: 2_000 })
    return db.prepare(LEFT_OVER).get()?.found === 1
  } catch {
    return true
  }
}

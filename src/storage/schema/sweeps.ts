import type { DatabaseSync } from 'node:sqlite'
import { type Migrations, openRecord } from '../sql/open-own.ts'

/** "ACUW": distinguishes our database from another program's at the same path. */
const APPLICATION_ID = 1_094_931_799

export const SWEEPS_MIGRATIONS: Migrations = [
  // Sweeps and their items. Table names differ from those of the attached databases. An item's id begins with the number of its sweep
  // (times 2^32), so the items of a sweep lie together without an index. The bytes, rarely read, are apart from the compared columns.
  `
    PRAGMA application_id = ${APPLICATION_ID};
    CREATE TABLE sweep (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      connection TEXT NOT NULL,
      route TEXT NOT NULL,
      range TEXT NOT NULL,
      corrections TEXT NOT NULL,
      state TEXT NOT NULL,
      problems TEXT NOT NULL DEFAULT '[]',
      walk TEXT NOT NULL,
      started_at INTEGER NOT NULL,
      ended_at INTEGER,
      requests INTEGER NOT NULL DEFAULT 0,
      retries INTEGER NOT NULL DEFAULT 0,
      pages INTEGER NOT NULL DEFAULT 0,
      items INTEGER NOT NULL DEFAULT 0,
      documents INTEGER NOT NULL DEFAULT 0,
      reached TEXT,
      mapping TEXT
    ) STRICT;
    CREATE INDEX sweep_connection ON sweep (connection, id);
    CREATE TABLE sweep_item (
      id INTEGER PRIMARY KEY,
      key TEXT NOT NULL,
      issued_at INTEGER,
      document_type INTEGER,
      status_id INTEGER,
      voided INTEGER,
      first_returned_at INTEGER NOT NULL,
      document_id TEXT,
      number TEXT,
      party TEXT,
      total TEXT,
      currency TEXT,
      fingerprint BLOB
    ) STRICT;
    CREATE INDEX sweep_item_key ON sweep_item (key);
    CREATE TABLE sweep_raw (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
    CREATE TABLE annotation (
      connection TEXT NOT NULL,
      key TEXT NOT NULL,
      note TEXT,
      ignored TEXT,
      PRIMARY KEY (connection, key)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE rebuilt (
      delivery_id INTEGER PRIMARY KEY,
      connection TEXT NOT NULL,
      key TEXT NOT NULL,
      kind TEXT NOT NULL,
      rule TEXT NOT NULL,
      sweep INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX rebuilt_document ON rebuilt (connection, key);
    CREATE INDEX rebuilt_sweep ON rebuilt (sweep, delivery_id);
    CREATE TABLE probed (key TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  `,
  // Documents of which the latest sweep of a connection missed an event; the filter `is:missed` finds their deliveries.
  `
    CREATE TABLE missed (
      key TEXT NOT NULL,
      connection TEXT NOT NULL,
      sweep INTEGER NOT NULL,
      PRIMARY KEY (key, connection)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX missed_connection ON missed (connection);
  `,
  // Number of documents in each class at the last comparison, as JSON, so that the list of sweeps need not compare them all.
  'ALTER TABLE sweep ADD COLUMN counts TEXT;',
  // What a session file brought here.
  'ALTER TABLE sweep ADD COLUMN imported INTEGER NOT NULL DEFAULT 0;',
]

/** Documents joined by Number, while the comparison is kept. */
const LINKS = `PRAGMA temp_store=MEMORY;
  CREATE TEMP TABLE link (item INTEGER, document_key TEXT, PRIMARY KEY (item, document_key)) WITHOUT ROWID;
  CREATE INDEX temp.link_document ON link (document_key, item)`

/** Opens sweeps.db, as `openRecord` does. */
export function openSweeps(path: string, warn: (message: string) => void): DatabaseSync {
  return openRecord(
    {
      path,
      of: 'sweeps',
      lost: 'run the sweeps again',
      applicationId: APPLICATION_ID,
      migrations: SWEEPS_MIGRATIONS,
      probe(statements) {
        statements.one`SELECT * FROM sweep ORDER BY id DESC LIMIT 1`
        statements.one`SELECT * FROM sweep_item LIMIT 1`
        statements.one`SELECT * FROM sweep_raw LIMIT 1`
        statements.one`SELECT * FROM annotation, rebuilt LIMIT 1`
        statements.run`INSERT OR REPLACE INTO probed (key, at) VALUES ('open', ${Date.now()})`
      },
      ready: (db) => db.exec(LINKS),
    },
    warn,
  )
}

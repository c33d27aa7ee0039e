import { openForWriting } from '../sql/connection.ts'
import { writeMeta } from '../sql/numbers.ts'
import { BUSY_MS, type Migrations, openOwn } from '../sql/open-own.ts'

/** "ACUS": distinguishes our database from another program's at the same path. */
const APPLICATION_ID = 1_094_931_795

/** Columns of `delivery` at the first migration; `trashed` has the same, then the later ones. */
const COLUMNS = `
  id INTEGER PRIMARY KEY,
  received_at INTEGER NOT NULL,
  receiving_us INTEGER NOT NULL,
  took_us INTEGER,
  endpoint TEXT NOT NULL,
  method TEXT NOT NULL,
  url TEXT NOT NULL,
  http_version TEXT NOT NULL,
  remote_address TEXT NOT NULL,
  remote_port INTEGER NOT NULL,
  size INTEGER NOT NULL,
  stored_bytes INTEGER NOT NULL,
  answer_status INTEGER,
  answer_id INTEGER,
  rejected INTEGER NOT NULL,
  malformed TEXT,
  upload TEXT`

export const CAPTURED_MIGRATIONS: Migrations = [
  // The writer assigns ids: AUTOINCREMENT would cost one more page per commit. Payloads have their own table, so lists read narrow rows.
  `
    PRAGMA application_id = ${APPLICATION_ID};
    CREATE TABLE delivery (${COLUMNS}) STRICT;
    CREATE INDEX delivery_rejected ON delivery (id) WHERE rejected = 1;
    CREATE UNIQUE INDEX delivery_upload ON delivery (upload) WHERE upload IS NOT NULL;
    CREATE TABLE payload (delivery_id INTEGER PRIMARY KEY, headers BLOB NOT NULL, trailers BLOB, body BLOB) STRICT;
    CREATE TABLE chunk (id INTEGER PRIMARY KEY, upload TEXT NOT NULL, seq INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT;
    CREATE UNIQUE INDEX chunk_place ON chunk (upload, seq);
    CREATE TABLE answer (
      id INTEGER PRIMARY KEY,
      hash BLOB NOT NULL UNIQUE,
      headers BLOB NOT NULL,
      body BLOB NOT NULL
    ) STRICT;
    CREATE TABLE pin (delivery_id INTEGER PRIMARY KEY) STRICT;
    CREATE TABLE coverage (
      id INTEGER PRIMARY KEY,
      state TEXT NOT NULL,
      from_ms INTEGER NOT NULL,
      to_ms INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX coverage_end ON coverage (to_ms);
    CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  `,
  // What decided the answer instead of the endpoint: a fault rule, or a forward's target.
  'ALTER TABLE delivery ADD COLUMN answered_by TEXT',
  // 1: rebuilt from a sync item instead of received. Few deliveries are, so the index is partial.
  `
    ALTER TABLE delivery ADD COLUMN synthetic INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX delivery_synthetic ON delivery (id) WHERE synthetic = 1;
  `,
  // The user's notes and tags. They are here and not in derived.db, because nothing could make them again. `at` is in milliseconds.
  `
    CREATE TABLE note (delivery_id INTEGER PRIMARY KEY, text TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
    CREATE TABLE tag (delivery_id INTEGER NOT NULL, tag TEXT NOT NULL, PRIMARY KEY (delivery_id, tag)) STRICT, WITHOUT ROWID;
    CREATE INDEX tag_name ON tag (tag, delivery_id);
  `,
  // Rows of `delivery` that can still be restored: a new column in `delivery` needs one here too (DELIVERY_COLUMNS in writer/trash.ts).
  // Payload, chunks, pin, note and tags stay in their tables. `trash_batch.id` is never reused, as an offer to undo names it.
  `
    CREATE TABLE trashed (${COLUMNS}, answered_by TEXT, synthetic INTEGER NOT NULL, batch INTEGER NOT NULL) STRICT;
    CREATE INDEX trashed_batch ON trashed (batch, id);
    CREATE TABLE trash_batch (id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, filter TEXT) STRICT;
  `,
  // Every open counts the ring of malformed deliveries. `trash_batch.lived` is the value of `meta.lived` at that time (writer/trash.ts).
  `
    CREATE INDEX delivery_malformed ON delivery (id) WHERE malformed IS NOT NULL;
    ALTER TABLE trash_batch ADD COLUMN lived INTEGER NOT NULL DEFAULT 0;
  `,
  // 1: the sender gave the secret that the endpoint demands; no ring limits such a malformed delivery (writer/intake.ts). The update writes
  // the rows in the trash anew: with as many values as a row of `delivery` now has, salvage could not tell the two apart (RowShapes).
  `
    ALTER TABLE delivery ADD COLUMN authenticated INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE trashed ADD COLUMN authenticated INTEGER NOT NULL DEFAULT 0;
    UPDATE trashed SET authenticated = authenticated;
  `,
  // CRC-32 of headers, trailers and body, and of each chunk, as the log had them; null: stored by a version without checksums.
  'ALTER TABLE payload ADD COLUMN crc INTEGER; ALTER TABLE chunk ADD COLUMN crc INTEGER',
  // Deliveries that another program received. `at`: when they were imported, microseconds; a table of its own, as few stores have any.
  'CREATE TABLE imported (delivery_id INTEGER PRIMARY KEY, at INTEGER NOT NULL) STRICT',
  // A follower's changes of notes, tags and pins until the shared log has them; `record` is JSON. `author`: who wrote a note there.
  // `receivers`: names of those that listened, as JSON.
  `
    ALTER TABLE note ADD COLUMN author TEXT;
    ALTER TABLE coverage ADD COLUMN receivers TEXT;
    CREATE TABLE unsent (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      key TEXT NOT NULL UNIQUE,
      delivery_id INTEGER NOT NULL,
      field TEXT NOT NULL,
      day INTEGER NOT NULL,
      record TEXT NOT NULL
    ) STRICT;
    CREATE INDEX unsent_field ON unsent (delivery_id, field);
  `,
]

/** Opens captured.db, as `openOwn` does. @param now milliseconds; names the files set aside @param held whether it has held deliveries */
export function openCaptured(path: string, now: number, held: boolean) {
  return openOwn(
    {
      path,
      held,
      applicationId: APPLICATION_ID,
      migrations: CAPTURED_MIGRATIONS,
      connect: (at) => openForWriting(at, BUSY_MS),
      probe(statements) {
        statements.one`SELECT * FROM delivery d LEFT JOIN payload p ON p.delivery_id = d.id ORDER BY id DESC LIMIT 1`
        writeMeta(statements, 'probe', Date.now())
      },
    },
    now,
  )
}

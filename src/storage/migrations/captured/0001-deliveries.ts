import type { Migration } from '../../sql/migrate.ts'

/**
 * What came, as it came. Ids are given out by the writer, above every id ever used, which AUTOINCREMENT would promise too at the
 * price of one more page per commit. Payloads lie apart so that lists read narrow rows only.
 */
export const deliveries: Migration = {
  version: 1,
  up: `
    PRAGMA application_id = 1094931795;
    CREATE TABLE delivery (
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
      upload TEXT
    ) STRICT;
    CREATE INDEX delivery_rejected ON delivery (id) WHERE rejected = 1;
    CREATE UNIQUE INDEX delivery_upload ON delivery (upload) WHERE upload IS NOT NULL;
    CREATE TABLE payload (
      delivery_id INTEGER PRIMARY KEY,
      headers BLOB NOT NULL,
      trailers BLOB,
      body BLOB
    ) STRICT;
    CREATE TABLE chunk (
      id INTEGER PRIMARY KEY,
      upload TEXT NOT NULL,
      seq INTEGER NOT NULL,
      bytes BLOB NOT NULL
    ) STRICT;
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
}

import type { Migration } from '../../sql/migrate.ts'

/**
 * What analysis made of the deliveries. Rejected ones have neither `instant` nor `body_hash`: they take no part in the marks
 * (readings, Delivery), and so the look-ups for marks need no further condition.
 */
export const analysis: Migration = {
  version: 1,
  up: `
    CREATE TABLE analysis (
      delivery_id INTEGER PRIMARY KEY,
      event TEXT,
      kind TEXT,
      "group" TEXT,
      document_id TEXT,
      document_key TEXT,
      number TEXT,
      status_id INTEGER,
      timestamp TEXT,
      instant INTEGER,
      verdict INTEGER NOT NULL,
      finding_count INTEGER NOT NULL,
      marks INTEGER NOT NULL,
      endpoint TEXT NOT NULL,
      body_hash BLOB
    ) STRICT;
    CREATE INDEX analysis_kind ON analysis (kind, verdict, delivery_id);
    CREATE INDEX analysis_kind_order ON analysis (kind, delivery_id);
    CREATE INDEX analysis_verdict ON analysis (verdict, delivery_id);
    CREATE INDEX analysis_document ON analysis (document_key, instant) WHERE document_key IS NOT NULL;
    CREATE INDEX analysis_body ON analysis (body_hash, endpoint) WHERE body_hash IS NOT NULL;
    CREATE TABLE findings (delivery_id INTEGER PRIMARY KEY, packed BLOB NOT NULL) STRICT;
    CREATE VIRTUAL TABLE search USING fts5 (
      text, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
    );
    CREATE TABLE progress (key TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  `,
}

import type { Migration } from '../../sql/migrate.ts'

/**
 * What the events of invoices, notes and expenses say about their documents, one row for each that is whole, let in and received.
 * They are found by document through `analysis_document`, whose rows have the same numbers: a second index of random keys would cost
 * each event more than its row. `document_event_at` tells which documents were issued in a range, and where an event does not say it,
 * which were heard of; it holds all that this question needs. `observed_type` is what types of documents came by which kinds, ever.
 */
export const documents: Migration = {
  version: 2,
  up: `
    CREATE TABLE document_event (
      delivery_id INTEGER PRIMARY KEY,
      step INTEGER NOT NULL,
      instant INTEGER NOT NULL,
      issued_at INTEGER,
      document_key TEXT NOT NULL,
      endpoint TEXT NOT NULL,
      kind TEXT NOT NULL,
      document_type INTEGER,
      status_id INTEGER,
      number TEXT,
      party TEXT,
      total TEXT,
      currency TEXT,
      modifies TEXT,
      fingerprint BLOB
    ) STRICT;
    CREATE INDEX document_event_at ON document_event (coalesce(issued_at, instant), document_key);
    CREATE TABLE observed_type (
      document_type INTEGER NOT NULL,
      kind TEXT NOT NULL,
      endpoint TEXT NOT NULL,
      PRIMARY KEY (document_type, kind, endpoint)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX document_event_modifies ON document_event (modifies) WHERE modifies IS NOT NULL;
  `,
}

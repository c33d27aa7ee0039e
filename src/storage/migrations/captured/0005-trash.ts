import type { Migration } from '../../sql/migrate.ts'

/**
 * Rows of `delivery` that were deleted and can still be restored: the same columns, so one that `delivery` gains has to be added here too
 * (DELIVERY_COLUMNS in writer/trash.ts). A delivery exists by its row in `delivery`; its payload, chunks, pin, note and tags stay where
 * they are. `trash_batch.id` is never used twice: an offer to undo must not restore another deletion.
 */
export const trash: Migration = {
  version: 5,
  up: `
    CREATE TABLE trashed (
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
      upload TEXT,
      answered_by TEXT,
      synthetic INTEGER NOT NULL,
      batch INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX trashed_batch ON trashed (batch, id);
    CREATE TABLE trash_batch (id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, filter TEXT) STRICT;
  `,
}

import type { Migration } from '../../sql/migrate.ts'

/** What people write about deliveries. It is captured, not derived: nothing could make it again. `at` is in milliseconds since the epoch. */
export const notesAndTags: Migration = {
  version: 4,
  up: `
    CREATE TABLE note (delivery_id INTEGER PRIMARY KEY, text TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
    CREATE TABLE tag (delivery_id INTEGER NOT NULL, tag TEXT NOT NULL, PRIMARY KEY (delivery_id, tag)) STRICT, WITHOUT ROWID;
    CREATE INDEX tag_name ON tag (tag, delivery_id);
  `,
}

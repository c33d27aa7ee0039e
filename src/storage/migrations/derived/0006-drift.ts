import type { Migration } from '../../sql/migrate.ts'

/**
 * What was ever observed in the bodies of each kind (core/drift/profile.ts), and what deliveries showed first. `observed` has one row for
 * each place, type, format or value, written once; its `slot` is its place in `observed_count.counts`, three doubles for each: how many
 * deliveries, the last of them, its arrival. A delivery changes some hundred of them, which as rows would cost more than the rest of its
 * analysis. `type` is a SHAPE_TYPE, or `place`, `absent`, `value`, `many`. `learns_from` is the last delivery that a reset has forgotten:
 * only later ones teach. Ids of deliveries may be gone, and counts do not go down with them.
 */
export const drift: Migration = {
  version: 6,
  up: `
    CREATE TABLE observed (
      kind_no INTEGER NOT NULL,
      slot INTEGER NOT NULL,
      pointer TEXT NOT NULL,
      type TEXT NOT NULL,
      format TEXT,
      value TEXT,
      first_id INTEGER NOT NULL,
      first_at INTEGER NOT NULL,
      PRIMARY KEY (kind_no, slot)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE observed_count (
      kind_no INTEGER PRIMARY KEY,
      counts BLOB NOT NULL,
      unrecorded INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE observed_from (kind TEXT PRIMARY KEY, learns_from INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE drift (
      id INTEGER PRIMARY KEY,
      delivery_id INTEGER NOT NULL,
      kind_no INTEGER NOT NULL,
      at INTEGER NOT NULL,
      code TEXT NOT NULL,
      pointer TEXT NOT NULL,
      place TEXT NOT NULL,
      was TEXT NOT NULL,
      now TEXT,
      seen INTEGER NOT NULL,
      since INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX drift_delivery ON drift (delivery_id);
    CREATE INDEX drift_kind ON drift (kind_no, at);
  `,
}

import type { Migration } from '../../sql/migrate.ts'

/** Minutes that a row of the rollups stands for: by the minute, and by the hour, so that a year is as cheap to draw as a day. */
export const ROLLUP_WIDTHS = [1, 60] as const

/**
 * Deliveries counted by the time of their arrival. `rollup_total` has one row per minute with a column for every verdict and group, which
 * is what the whole set needs. `rollup` tells them apart as far as filters on kind, group, verdict and endpoint do: `counts` are pairs of
 * 32-bit numbers, a row of `rollup_sort` and how many there were of it, since reading a row for each of them takes fifty times as long.
 * `at` is in minutes since the epoch, the beginning of the stretch. `kind_no` is a kind's place in the catalogue from 1, 0 for none: whatever moves places
 * raises ANALYSIS_VERSION. `analysis.minute` is what a deletion takes back, and finds what arrived in a stretch.
 */
export const rollups: Migration = {
  version: 3,
  up: `
    ALTER TABLE analysis ADD COLUMN minute INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX analysis_minute ON analysis (minute);
    CREATE TABLE rollup_sort (
      id INTEGER PRIMARY KEY,
      endpoint TEXT NOT NULL,
      kind_no INTEGER NOT NULL,
      verdict INTEGER NOT NULL,
      UNIQUE (endpoint, kind_no, verdict)
    ) STRICT;
    CREATE TABLE rollup (
      width INTEGER NOT NULL,
      at INTEGER NOT NULL,
      counts BLOB NOT NULL,
      PRIMARY KEY (width, at)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE rollup_total (
      width INTEGER NOT NULL,
      at INTEGER NOT NULL,
      v0 INTEGER NOT NULL, v1 INTEGER NOT NULL, v2 INTEGER NOT NULL, v3 INTEGER NOT NULL, v4 INTEGER NOT NULL,
      g0 INTEGER NOT NULL, g1 INTEGER NOT NULL, g2 INTEGER NOT NULL, g3 INTEGER NOT NULL, g4 INTEGER NOT NULL,
      g5 INTEGER NOT NULL, g6 INTEGER NOT NULL, g7 INTEGER NOT NULL, g8 INTEGER NOT NULL,
      PRIMARY KEY (width, at)
    ) STRICT, WITHOUT ROWID;
  `,
}

import type { Migration } from '../../sql/migrate.ts'

/**
 * One row per invoice, note or expense, added up from its events as they are analysed. `kinds`, `verdicts` and `marks` are sums of bits
 * of what its events were: kind_no of the rollups, place in VERDICTS, MARK_BITS. Instants are by Timestamp, in microseconds; the earliest
 * of each step. There is no index but that of keys: an index of what changes would cost every event more than a look through all documents
 * costs a question. `names` is what `analysis.party` has. Which facts are shown is decided by the latest event that told them.
 */
export const documentList: Migration = {
  version: 5,
  up: `
    CREATE TABLE document (
      id INTEGER PRIMARY KEY,
      key TEXT NOT NULL UNIQUE,
      document_id TEXT NOT NULL,
      family INTEGER NOT NULL,
      number TEXT,
      party TEXT,
      names TEXT,
      total TEXT,
      currency TEXT,
      status_id INTEGER,
      last_kind INTEGER NOT NULL,
      kinds INTEGER NOT NULL,
      verdicts INTEGER NOT NULL,
      marks INTEGER NOT NULL,
      events INTEGER NOT NULL,
      recovered INTEGER NOT NULL,
      first_at INTEGER NOT NULL,
      last_at INTEGER NOT NULL,
      created_at INTEGER,
      updated_at INTEGER,
      status_at INTEGER,
      voided_at INTEGER,
      gaps INTEGER GENERATED ALWAYS AS (
        (created_at IS NULL) + 2 * (status_at IS NOT NULL AND status_at < coalesce(created_at, 0))
        + 4 * (updated_at IS NOT NULL AND updated_at < coalesce(created_at, 0))
        + 8 * (created_at IS NULL AND voided_at IS NOT NULL) + 16 * (voided_at IS NOT NULL AND last_at > voided_at)
      ) STORED
    ) STRICT;
  `,
}

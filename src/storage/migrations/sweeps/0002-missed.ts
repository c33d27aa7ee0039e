import type { Migration } from '../../sql/migrate.ts'

/** Documents of which the latest sweep of a connection missed an event: `is:missed` asks for their deliveries. */
export const missed: Migration = {
  version: 2,
  up: `
    CREATE TABLE missed (
      key TEXT NOT NULL,
      connection TEXT NOT NULL,
      sweep INTEGER NOT NULL,
      PRIMARY KEY (key, connection)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX missed_connection ON missed (connection);
  `,
}

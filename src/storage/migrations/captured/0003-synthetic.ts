import type { Migration } from '../../sql/migrate.ts'

/** Whether a delivery was rebuilt from a sync item instead of received. Few are: the index holds only them. */
export const synthetic: Migration = {
  version: 3,
  up: `
    ALTER TABLE delivery ADD COLUMN synthetic INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX delivery_synthetic ON delivery (id) WHERE synthetic = 1;
  `,
}

import type { Migration } from '../../sql/migrate.ts'

/**
 * The ring of malformed deliveries is counted at every open, so it has an index as that of rejected ones does. `trash_batch.lived` is
 * what `meta.lived` was at the deletion (writer/trash.ts).
 */
export const ringsAndTrashLife: Migration = {
  version: 6,
  up: `
    CREATE INDEX delivery_malformed ON delivery (id) WHERE malformed IS NOT NULL;
    ALTER TABLE trash_batch ADD COLUMN lived INTEGER NOT NULL DEFAULT 0;
  `,
}

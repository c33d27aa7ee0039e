import type { Migration } from '../../sql/migrate.ts'

/** Names and tax ids of customer and supplier, folded, one per line, for `party:` of the filter. */
export const party: Migration = {
  version: 4,
  up: 'ALTER TABLE analysis ADD COLUMN party TEXT',
}

import type { Migration } from '../../sql/migrate.ts'

/** Who decided the answer when it was not the endpoint itself: a fault rule, or a forward's target. NULL: the endpoint. */
export const answeredBy: Migration = {
  version: 2,
  up: 'ALTER TABLE delivery ADD COLUMN answered_by TEXT',
}

import type { Migration } from '../../sql/migrate.ts'

/** What was sent by hand, by time: the timeline asks for it, and jobs and forwards may have made a million attempts around it. */
export const byHand: Migration = {
  version: 2,
  up: 'CREATE INDEX attempt_by_hand ON attempt (started_at) WHERE job IS NULL AND forward IS NULL',
}

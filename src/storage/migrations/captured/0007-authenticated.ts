import type { Migration } from '../../sql/migrate.ts'

/** 1: the endpoint demands a secret and the sender gave it. A malformed delivery of such a sender is in no ring (writer/rings.ts). */
export const authenticated: Migration = {
  version: 7,
  up: `
    ALTER TABLE delivery ADD COLUMN authenticated INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE trashed ADD COLUMN authenticated INTEGER NOT NULL DEFAULT 0;
  `,
}

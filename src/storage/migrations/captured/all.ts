import type { Migration } from '../../sql/migrate.ts'
import { deliveries } from './0001-deliveries.ts'
import { answeredBy } from './0002-answered-by.ts'
import { synthetic } from './0003-synthetic.ts'
import { notesAndTags } from './0004-notes-and-tags.ts'
import { trash } from './0005-trash.ts'
import { ringsAndTrashLife } from './0006-rings-and-trash-life.ts'
import { authenticated } from './0007-authenticated.ts'

/** In order of version. */
export const CAPTURED_MIGRATIONS: readonly Migration[] = [
  deliveries,
  answeredBy,
  synthetic,
  notesAndTags,
  trash,
  ringsAndTrashLife,
  authenticated,
]

/** "ACUS": tells our database from another program's that lies at the same path. */
export const CAPTURED_APPLICATION_ID = 1_094_931_795

import type { Migration } from '../../sql/migrate.ts'
import { deliveries } from './0001-deliveries.ts'

/** In order of version. */
export const CAPTURED_MIGRATIONS: readonly Migration[] = [deliveries]

/** "ACUS": tells our database from another program's that lies at the same path. */
export const CAPTURED_APPLICATION_ID = 1_094_931_795

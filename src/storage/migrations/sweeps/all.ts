import type { Migration } from '../../sql/migrate.ts'
import { sweeps } from './0001-sweeps.ts'
import { missed } from './0002-missed.ts'

/** In order of version. */
export const SWEEPS_MIGRATIONS: readonly Migration[] = [sweeps, missed]

/** "ACUW": tells our database from another program's that lies at the same path. */
export const SWEEPS_APPLICATION_ID = 1_094_931_799

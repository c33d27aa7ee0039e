import type { Migration } from '../../sql/migrate.ts'
import { attempts } from './0001-attempts.ts'
import { byHand } from './0002-by-hand.ts'

/** In order of version. */
export const REPLAYS_MIGRATIONS: readonly Migration[] = [attempts, byHand]

/** "ACUR": tells our database from another program's that lies at the same path. */
export const REPLAYS_APPLICATION_ID = 1_094_931_794

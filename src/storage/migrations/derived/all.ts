import type { Migration } from '../../sql/migrate.ts'
import { analysis } from './0001-analysis.ts'
import { documents } from './0002-documents.ts'

/** In order of version. */
export const DERIVED_MIGRATIONS: readonly Migration[] = [analysis, documents]

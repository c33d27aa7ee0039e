import type { Migration } from '../../sql/migrate.ts'
import { analysis } from './0001-analysis.ts'
import { documents } from './0002-documents.ts'
import { rollups } from './0003-rollups.ts'
import { party } from './0004-party.ts'
import { documentList } from './0005-document-list.ts'
import { drift } from './0006-drift.ts'
import { tooExpensive } from './0007-too-expensive.ts'

/** In order of version. */
export const DERIVED_MIGRATIONS: readonly Migration[] = [
  analysis,
  documents,
  rollups,
  party,
  documentList,
  drift,
  tooExpensive,
]

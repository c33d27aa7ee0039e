import type { EXPORT_FORMATS } from '#contract/transfer.ts'
import { curl, powershell } from './commands.ts'
import type { Format } from './format.ts'
import { har } from './har.ts'
import { raw } from './raw.ts'
import { report } from './report.ts'
import { fixture, postman } from './suites.ts'
import { csv, ndjson } from './tables.ts'

/** Without `session`, which needs the store (hosts/transfer/session-export.ts). */
export type ExportFormat = Exclude<(typeof EXPORT_FORMATS)[number], 'session'>

export const FORMATS: Readonly<Record<ExportFormat, Format>> = {
  ndjson,
  csv,
  har,
  raw,
  curl,
  powershell,
  postman,
  fixture,
  report,
}

import type { Connection } from '#contract/connection.ts'
import type { ReportFile, ReportFormat, ReportParams } from '#contract/reconcile.ts'
import { MOST_LISTED } from '#contract/values.ts'
import { type AskComparison, otherRows, withEvidence } from '#interop/report/model.ts'
import { writeReport } from '#interop/report/write.ts'

export interface ReportParts {
  /** Queries the comparison; other calls may run in between. */
  readonly call: AskComparison
  readonly connection: Connection
  readonly version: string
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Largest number of listed documents; default MOST_LISTED. */
  readonly most?: number
}

const FORMS = {
  html: { writer: 'html', extension: 'html', mediaType: 'text/html' },
  csv: { writer: 'csv', extension: 'csv', mediaType: 'text/csv' },
  json: { writer: 'json', extension: 'json', mediaType: 'application/json' },
  markdown: { writer: 'md', extension: 'md', mediaType: 'text/markdown' },
} as const satisfies Record<ReportFormat, object>

/** Writes the result of one sweep as a file. @throws AcuseError `not-found` for an unknown sweep */
export async function sweepReport(
  { call, connection, version, now, most = MOST_LISTED }: ReportParts,
  { sweep, format, language, unmask = false }: ReportParams,
): Promise<ReportFile> {
  const { writer, extension, mediaType } = FORMS[format]
  const summary = await call('reconciliation.summary', { sweep })
  const rows = await otherRows(call, sweep, most)
  const { matched, ...others } = summary.counts
  const unlisted = Object.values(others).reduce((sum, count) => sum + count) - rows.length
  const section = { ...(await withEvidence(call, summary, rows)), unlisted }
  const report = {
    createdAt: now,
    version,
    connection,
    language,
    recovery: null,
    sections: [section],
    masked: !unmask,
  }
  // In the file name, since a CSV table has no other place for this fact.
  const part = unlisted > 0 ? `-${PART[language]}-${rows.length}` : ''
  return {
    text: writeReport(report, writer),
    name: `acuse-${plain(connection.name)}-${SWEEP[language]}-${sweep}${part}.${extension}`,
    mediaType,
    listed: rows.length,
    unlisted,
  }
}

const SWEEP = { en: 'sweep', es: 'barrido' } as const
const PART = { en: 'first', es: 'primeros' } as const

/** Removes characters with a meaning for file systems or shells. */
const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, 60) || 'connection'

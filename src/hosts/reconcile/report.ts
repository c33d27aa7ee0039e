import type { Connection } from '#contract/connection.ts'
import type { ReportFile, ReportFormat, ReportParams } from '#contract/reconcile.ts'
import { MOST_LISTED } from '#contract/values.ts'
import { type AskComparison, otherRows, withEvidence } from '#interop/report/model.ts'
import { writeReport } from '#interop/report/write.ts'

export interface ReportParts {
  /** The comparison. It may let others have their turn in between. */
  readonly call: AskComparison
  readonly connection: Connection
  readonly version: string
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Documents listed at most; MOST_LISTED when it is left out. */
  readonly most?: number
}

const FORMS = {
  html: { writer: 'html', extension: 'html', mediaType: 'text/html' },
  csv: { writer: 'csv', extension: 'csv', mediaType: 'text/csv' },
  json: { writer: 'json', extension: 'json', mediaType: 'application/json' },
  markdown: { writer: 'md', extension: 'md', mediaType: 'text/markdown' },
} as const satisfies Record<ReportFormat, object>

/** The result of one sweep, as a file. @throws AcuseError `not-found` for a sweep that there is not */
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
  // A table alone has no place where it could say so.
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

/** Nothing that a file system or a shell takes for something else. */
const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, 60) || 'connection'

import type { Language } from '#catalog/text.ts'
import type { Params, Result } from '#contract/commands.ts'
import type { Connection } from '#contract/connection.ts'
import type { DocumentRow, Evidence, FieldDifference, ReconciliationSummary } from '#contract/reconcile.ts'
import { CLASSES } from '#contract/values.ts'

export interface ReportDocument {
  readonly row: DocumentRow
  readonly differences: readonly FieldDifference[]
  readonly evidence: readonly Evidence[]
}

export interface ReportSection {
  readonly summary: ReconciliationSummary
  readonly documents: readonly ReportDocument[]
  /** Number of later documents that are counted but not listed. */
  readonly unlisted?: number
}

export interface ReportRecovery {
  readonly target: string
  readonly events: number
  readonly sent: number
  readonly failed: number
}

export interface Report {
  readonly createdAt: number
  readonly version: string
  readonly connection: Connection
  readonly sections: readonly ReportSection[]
  readonly recovery: ReportRecovery | null
  readonly masked: boolean
  readonly language: Language
}

type Asked = 'reconciliation.summary' | 'reconciliation.rows' | 'reconciliation.document'
export type AskComparison = <C extends Asked>(command: C, params: Params<C>) => Promise<Result<C>>

const OTHER_CLASSES = CLASSES.filter((one) => one !== 'matched')
const PAGE = 1_000

/** Documents other than matched, by issue date. @param most maximum number, the earliest first */
export async function otherRows(call: AskComparison, sweep: number, most = Number.POSITIVE_INFINITY) {
  const rows: DocumentRow[] = []
  for (;;) {
    const at = { from: rows.length, limit: Math.min(PAGE, most - rows.length) }
    const page = await call('reconciliation.rows', { sweep, classes: OTHER_CLASSES, ...at })
    rows.push(...page.rows)
    if (page.rows.length === 0 || rows.length >= Math.min(page.total, most)) return rows
  }
}

export async function withEvidence(
  call: AskComparison,
  summary: ReconciliationSummary,
  rows: readonly DocumentRow[],
  progress: (done: number) => void = () => {},
): Promise<ReportSection> {
  const documents: ReportDocument[] = []
  for (const row of rows) {
    const { differences, evidence } = await call('reconciliation.document', {
      sweep: summary.sweep.id,
      key: row.key,
    })
    documents.push({ row, differences, evidence })
    progress(documents.length)
  }
  return { summary, documents }
}

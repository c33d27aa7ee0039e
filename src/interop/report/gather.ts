import type { Params, Result } from '#contract/commands.ts'
import type { DocumentRow, ReconciliationSummary } from '#contract/reconcile.ts'
import { CLASSES } from '#contract/values.ts'
import type { ReportDocument, ReportSection } from './model.ts'

type Asked = 'reconciliation.summary' | 'reconciliation.rows' | 'reconciliation.document'
/** The comparison, in this process or another. */
export type AskComparison = <C extends Asked>(command: C, params: Params<C>) => Promise<Result<C>>

/** What a report lists one by one. */
const OTHER_CLASSES = CLASSES.filter((one) => one !== 'matched')
const PAGE = 1_000

/** Documents of a sweep other than matched, in order of issue date. @param most how many of them at most, the earliest */
export async function otherRows(
  call: AskComparison,
  sweep: number,
  most = Number.POSITIVE_INFINITY,
): Promise<readonly DocumentRow[]> {
  const rows: DocumentRow[] = []
  for (;;) {
    const at = { from: rows.length, limit: Math.min(PAGE, most - rows.length) }
    const page = await call('reconciliation.rows', { sweep, classes: OTHER_CLASSES, ...at })
    rows.push(...page.rows)
    if (page.rows.length === 0 || rows.length >= Math.min(page.total, most)) return rows
  }
}

/** Differences and evidence of each document. @param progress told how many are gathered */
export async function withEvidence(
  call: AskComparison,
  summary: ReconciliationSummary,
  rows: readonly DocumentRow[],
  progress: (done: number) => void = () => {},
): Promise<ReportSection> {
  const documents: ReportDocument[] = []
  for (const row of rows) {
    const { differences, evidence } = await call('reconciliation.document', {
      ...{ sweep: summary.sweep.id, key: row.key },
    })
    documents.push({ row, differences, evidence })
    progress(documents.length)
  }
  return { summary, documents }
}

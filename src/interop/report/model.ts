import type { Language } from '#catalog/text.ts'
import type { Params, Result } from '#contract/commands.ts'
import type { Connection } from '#contract/connection.ts'
import type { DocumentRow, Evidence, FieldDifference, ReconciliationSummary } from '#contract/reconcile.ts'
import { CLASSES } from '#contract/values.ts'

/** A document other than matched, with what is known about why. */
export interface ReportDocument {
  readonly row: DocumentRow
  readonly differences: readonly FieldDifference[]
  readonly evidence: readonly Evidence[]
}

/** One reconciliation: a sweep of one route and its comparison. */
export interface ReportSection {
  readonly summary: ReconciliationSummary
  /** Documents other than matched, in order of issue date. */
  readonly documents: readonly ReportDocument[]
  /** How many more there are, later ones, that are counted and not listed. */
  readonly unlisted?: number
}

/** What was done about the misses; absent where nothing was. */
export interface ReportRecovery {
  readonly target: string
  /** Events rebuilt for it. */
  readonly events: number
  readonly sent: number
  readonly failed: number
}

export interface Report {
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /** Of Acuse. */
  readonly version: string
  readonly connection: Connection
  readonly sections: readonly ReportSection[]
  readonly recovery: ReportRecovery | null
  /** Whether personal data is covered; see mask.ts. */
  readonly masked: boolean
  readonly language: Language
}

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

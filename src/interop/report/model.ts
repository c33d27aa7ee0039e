import type { Language } from '#catalog/text.ts'
import type { Connection } from '#contract/connection.ts'
import type { DocumentRow, Evidence, FieldDifference, ReconciliationSummary } from '#contract/reconcile.ts'

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

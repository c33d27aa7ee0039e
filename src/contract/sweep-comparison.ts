import type { DocumentClass, DocumentRow, Sweep } from './reconcile.ts'

/** What became of a document from one sweep to a later one; the first that applies. */
export const SWEEP_DIFFERENCES = [
  /** Missing now, and not so before. */
  'became-missing',
  /** Differs now, and not so before. */
  'newly-differs',
  /** It was missing or differed, and matches now. */
  'healed',
  /** Listed before, or not heard of; the later sweep does not list it although it was captured. */
  'webhook-only',
  /** Another class, or in one of the two only. */
  'other',
] as const
export type SweepDifference = (typeof SWEEP_DIFFERENCES)[number]

/** Two sweeps of one connection and route, each compared with what was captured by its own end. */
export interface SweepComparison {
  readonly earlier: { readonly sweep: Sweep; readonly counts: Readonly<Record<DocumentClass, number>> }
  readonly later: { readonly sweep: Sweep; readonly counts: Readonly<Record<DocumentClass, number>> }
  readonly changes: Readonly<Record<SweepDifference, number>>
  /** Documents missing in both, and how many of these were recovered by now. */
  readonly stillMissing: number
  readonly stillMissingRecovered: number
  /** Documents that only one of the two lists. */
  readonly listedEarlierOnly: number
  readonly listedLaterOnly: number
  /** By kind of change, then in order of issue date; at most SWEEP_DIFFERENCES_SAID of each kind. */
  readonly rows: readonly {
    readonly difference: SweepDifference
    /** Null: not part of that sweep. */
    readonly before: DocumentClass | null
    readonly after: DocumentClass | null
    /** As the later sweep tells it, else the earlier one. */
    readonly row: DocumentRow
  }[]
}
export const SWEEP_DIFFERENCES_SAID = 200

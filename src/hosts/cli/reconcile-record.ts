import type { DocumentClass, DocumentRow, ReconciliationSummary } from '#contract/reconcile.ts'
import { reasonText, wordsOf } from '#interop/report/words.ts'

const WORDS = wordsOf('en')

/** Names of the classes as --json writes them; people script against them. */
export const CLASS_NAMES = {
  matched: 'matched',
  differs: 'differs',
  missing: 'missing',
  'webhook-only': 'webhookOnly',
  'not-yet-due': 'notYetDue',
  'date-unknown': 'dateUnknown',
  'not-subscribed': 'notSubscribed',
  'cannot-tell': 'cannotTell',
} as const satisfies Readonly<Record<DocumentClass, string>>
export type ClassName = (typeof CLASS_NAMES)[DocumentClass]

/** What --json prints of one reconciliation; names and order are fixed. `rows` are the documents other than matched. */
export function reconciliationRecord(
  {
    sweep,
    counts,
    notReached,
    sharedDifferences,
    joinedByNumber = false,
  }: Pick<ReconciliationSummary, 'sweep' | 'counts' | 'notReached' | 'sharedDifferences' | 'joinedByNumber'>,
  rows: readonly DocumentRow[],
) {
  return {
    route: sweep.range.route,
    complete: sweep.state === 'complete',
    items: sweep.documents,
    counts: Object.fromEntries(
      Object.entries(CLASS_NAMES).map(([name, word]) => [word, counts[name as DocumentClass]]),
    ),
    rows: rows.map((row) => ({
      documentId: row.documentId,
      number: row.number,
      class: CLASS_NAMES[row.class],
      missed: row.missed.map(({ kind, rule }) => ({ kind, rule })),
      rules: row.rules,
      differences: row.differences,
      cannotTell: row.cannotTell,
      reason: reasonText(WORDS, row),
      ...(row.issuedSince ? { issuedSince: true } : {}),
    })),
    // Captured documents that an incomplete sweep says nothing about; the keys of `counts` are fixed.
    ...(sweep.state === 'complete' ? {} : { notReached }),
    // Said once: another representation or meaning, which makes no document differ.
    ...(sharedDifferences.length === 0 ? {} : { sharedDifferences }),
    ...(joinedByNumber ? { joinedByNumber } : {}),
  }
}

import type { Mark, Verdict } from '#contract/delivery.ts'
import { VERDICTS } from '#contract/values.ts'
import type { Is } from '#core/filter/tree.ts'

/**
 * The names a compiled filter may use. Every read runs over `delivery d` joined with `analysis a`; all `a.` columns are NULL for a
 * delivery that has not been analysed yet, so a condition that is to hold for such a row too must say so itself.
 */
export const COLUMNS = {
  id: 'd.id',
  /** Name of the endpoint at the time, text. */
  endpoint: 'd.endpoint',
  /** 0 or 1. */
  rejected: 'd.rejected',
  /** One of MALFORMED, or NULL for a whole request. */
  malformed: 'd.malformed',
  /** 0 or 1. */
  synthetic: 'd.synthetic',
  /** One of the 28 names, or NULL (unknown event, or not analysed). */
  kind: 'a.kind',
  /** Slug of the group, or NULL. */
  group: 'a."group"',
  /** Place in VERDICTS (see `verdictRank`), NULL while not analysed. */
  verdict: 'a.verdict',
  /** DocumentId with A-Z lower-cased, or NULL; indexed, so ask with `>=` and `<` for a beginning. */
  documentKey: 'a.document_key',
  /** Microseconds since the epoch. */
  received: 'd.received_at',
  method: 'd.method',
  /** Bytes. */
  size: 'd.size',
  /** Status answered, or NULL. */
  answer: 'd.answer_status',
  /** Microseconds, or NULL. */
  took: 'd.took_us',
  /** StatusId, or NULL. */
  status: 'a.status_id',
  number: 'a.number',
  /** Names and tax ids of customer and supplier, folded, one per line; or NULL. */
  party: 'a.party',
  /** Instant of Timestamp in microseconds; NULL also for what was rejected or rebuilt. */
  timestamp: 'a.instant',
  /** Sum of MARK_BITS, NULL while not analysed. */
  marks: 'a.marks',
} as const

/**
 * Marks that analysis gives once and for all. Pins and what is synthetic are no part of them: analysis can be thrown away, and they
 * cannot; nor is drift, which a reset takes back.
 */
type DerivedMark = Exclude<Mark, 'pinned' | 'synthetic' | 'drift'>

/** Bits of `a.marks`. */
export const MARK_BITS: Readonly<Record<DerivedMark, number>> = {
  duplicate: 1,
  late: 2,
  'out-of-order': 4,
  replay: 8,
}

export const isDerivedMark = (fact: Is): fact is DerivedMark => fact in MARK_BITS

/** The two columns that hold the id of a delivery; a read over `analysis a` alone has only the second. */
export type IdColumn = 'd.id' | 'a.delivery_id'

/** Holds for pinned deliveries. */
export const isPinned = (id: IdColumn): string => `${id} IN (SELECT delivery_id FROM pin)`

/** Holds for deliveries that were the first to show something. */
export const hasDrift = (id: IdColumn): string => `${id} IN (SELECT delivery_id FROM drift)`

/** Holds (1, else 0) for deliveries that pass a condition once they are opened; its parameter is the condition as JSON (opened.ts). */
export const holdsOpened = (id: IdColumn): string => `acuse_holds(${id}, ?)`

/**
 * Holds for deliveries whose indexed text matches one parameter, an FTS5 expression: `"one two"` for words that follow each other,
 * `"one tw" *` when the last may be the beginning of a word. unicode61, diacritics removed, one column. The query binds `:low` and
 * `:high`, the ids that it asks for: without them each look-up would gather the whole of what the index has.
 */
export const matchesText = (id: IdColumn): string =>
  `${id} IN (SELECT rowid FROM search WHERE search MATCH ? AND rowid BETWEEN :low AND :high)`

/** Holds for deliveries that were sent to a target, with any outcome. `attempt` exists on every connection that compiles filters. */
export const hasAttempt = (id: IdColumn): string =>
  `${id} IN (SELECT delivery_id FROM attempt WHERE delivery_id IS NOT NULL)`

/**
 * Holds for deliveries of a document of which the latest sweep of a connection missed an event. `missed`, too, exists on every
 * connection that compiles filters.
 */
export const OF_MISSED = '(a.document_key IS NOT NULL AND a.document_key IN (SELECT key FROM missed))'

/** Holds for deliveries with a note. */
export const hasNote = (id: IdColumn): string => `${id} IN (SELECT delivery_id FROM note)`

/** Holds for deliveries with a tag that passes a condition on `tag.tag`. */
export const hasTag = (id: IdColumn, condition = 'TRUE'): string =>
  `${id} IN (SELECT delivery_id FROM tag WHERE ${condition})`

/** How a verdict is stored: a small number in rising order, so that "at least a warning" is a comparison. */
export function verdictRank(verdict: Verdict): number {
  return VERDICTS.indexOf(verdict)
}

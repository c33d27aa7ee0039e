import { readTimestamp } from '#catalog/date-time.ts'
import type { Kind } from '#catalog/kinds.ts'
import type { DocumentClass, Sweep } from '#contract/reconcile.ts'
import { CLASSES } from '#contract/values.ts'
import { type Judgement, mappedFamilies, type Taken, type Terms } from '#core/reconcile/documents.ts'
import type { ComparisonTerms } from '#core/reconcile/ports.ts'
import { numberOrNull, raw, type Statements, textOrNull } from '../sql/connection.ts'
import { firstSince } from '../sql/numbers.ts'
import {
  type CapturedSide,
  type DocumentEvent,
  judgeStored,
  keysOf,
  type Scope,
  type Span,
} from './captured-side.ts'
import type { Agreement } from './comparing-sql.ts'
import { doubtfulItems, type SharedField, sharedFields, unlistedDocuments } from './comparing-sql.ts'
import { inSweep } from './items.ts'
import { ComparisonTally, quarterSql } from './tally.ts'

/** Documents that are not matched, in parallel arrays, as there may be 100,000. */
export interface Found {
  /** Id of the item; for a document that the sweep does not list, the negative id of one of its deliveries. */
  readonly refs: number[]
  /** Indexes into CLASSES. */
  readonly classes: number[]
  /** Issue dates in microseconds; NaN when unknown. */
  readonly issued: number[]
  /** Refs of due documents with a certainly missed event that no target has accepted. */
  readonly open: Set<number>
  /** Keys of captured documents with a missed event. */
  readonly owing: Set<string>
}

export interface Comparison {
  readonly found: Found
  readonly tally: ComparisonTally
  readonly terms: Terms
  readonly scope: Scope
  readonly shared: readonly SharedField[]
  /** When the next document that is not yet due becomes due, in milliseconds since the epoch. */
  readonly dueAt: number
}

export const issuedAtOf = (events: readonly DocumentEvent[]): number | null =>
  events.findLast(({ issuedAt }) => issuedAt !== null)?.issuedAt ?? null

/** Compares a sweep with the captures (readings, Reconciling). Plainly matched items stay in SQLite. Call it in a transaction. */
export function compareAll(
  statements: Statements,
  captured: CapturedSide,
  sweep: Sweep,
  given: ComparisonTerms & { readonly taken?: Taken },
  upto: number,
  agreeBy: (agreement: Agreement) => void,
): Comparison {
  const among: Scope = { endpoints: given.endpoints, upto }
  const { linked, itemsByNumber, otherIds, strangeIds } = captured.link(sweep.id, among)
  const range = rangeOf(sweep)
  const orphans = strangeIds && range !== null && captured.hasOrphans(range.from, among)
  const scope: Scope = { ...among, otherIds, orphans }
  const { zone } = given
  const ignoredFields = new Set(given.ignoredFields)
  const shared = sharedFields(statements, sweep.id, scope, { excluded: ignoredFields, zone })
  const excluded = new Set([...ignoredFields, ...shared.map(({ field }) => field)])
  agreeBy({ excluded, zone })
  const listed: Terms = {
    now: given.now,
    kinds: given.kinds && new Set(given.kinds),
    ignoredFields,
    zone,
    itemsByNumber,
    sharedFields: new Set(shared.map(({ field }) => field)),
    notYetDue: given.notYetDue,
    families: captured.families(given.endpoints),
    mapped: mappedFamilies(given.documentTypes),
    sweptBefore: firstSince(statements, sweep.startedAt * 1_000),
    otherIds: strangeIds && range !== null && captured.hasIssued(range, among),
    unidentifiedItems: false,
    ...(given.taken && { taken: given.taken }),
  }
  const found: Found = { refs: [], classes: [], issued: [], open: new Set(), owing: new Set() }
  const tally = new ComparisonTally(given.zone)
  let dueAt = Number.POSITIVE_INFINITY

  const add = (
    ref: number,
    judgement: Judgement,
    issuedAt: number | null,
    total: string | null,
    currency: string | null,
    keys: readonly string[],
    taken?: ReadonlySet<Kind>,
  ) => {
    tally.judged(judgement, issuedAt, total, currency)
    found.refs.push(ref)
    found.classes.push(CLASSES.indexOf(judgement.class))
    found.issued.push(issuedAt ?? Number.NaN)
    if (judgement.class === 'not-yet-due') return
    const owed = judgement.missed.filter(({ certainty }) => certainty === 'missed')
    if (owed.length === 0) return
    if (!owed.every(({ kind }) => kind !== null && taken?.has(kind))) found.open.add(ref)
    for (const key of keys) found.owing.add(key)
  }

  countItems(statements, sweep, tally)
  let unidentifiedItems = false
  for (const item of statements.each`${doubtfulItems(sweep.id, scope, excluded)}`) {
    const keys = keysOf(captured, item, scope)
    const events = captured.events(keys, scope)
    const judgement = judgeStored(captured, { item, keys, events }, listed, scope)
    const issuedAt = numberOrNull(item.issued_at)
    if (judgement.class === 'matched') continue
    unidentifiedItems ||= judgement.rules.some((rule) => rule === 'not-identified' || rule === 'other-ids')
    tally.unmatch(issuedAt)
    const taken = given.taken?.get(String(item.key))
    add(Number(item.id), judgement, issuedAt, textOrNull(item.total), textOrNull(item.currency), keys, taken)
    if (judgement.class === 'not-yet-due' && issuedAt !== null)
      dueAt = Math.min(
        dueAt,
        issuedAt / 1_000 + given.notYetDue.issuedHours * 3_600_000,
        Number(item.first_returned_at) + given.notYetDue.returnedMinutes * 60_000,
      )
  }

  const terms: Terms = { ...listed, unidentifiedItems }
  if (range) {
    for (const { key } of statements.each`${unlistedDocuments(sweep.id, range, linked)}`) {
      const keys = [String(key)]
      const events = captured.events(keys, scope)
      if (!within(events, range) || !isAskedFor(events, sweep)) continue
      const issuedAt = issuedAtOf(events)
      const judgement = judgeStored(captured, { item: null, keys, events }, terms, scope)
      if (given.unreached.length > 0 && (issuedAt === null || isIn(given.unreached, issuedAt))) {
        tally.notReached += 1
        continue
      }
      const ref = -(events.at(-1)?.deliveryId ?? 0)
      // No total: a captured document is not at stake.
      add(ref, judgement, issuedAt, null, null, keys)
    }
  }
  return { found, tally, terms, scope, shared, dueAt }
}

/** Counts every item as matched, until a judgement corrects that. */
function countItems(statements: Statements, { id }: Sweep, tally: ComparisonTally): void {
  const rows = statements.all`SELECT ${raw(quarterSql('issued_at'))} AS quarter, count(*) AS n
    FROM sweep_item WHERE ${inSweep('id', id)} GROUP BY 1`
  for (const { quarter, n } of rows) tally.count('matched', numberOrNull(quarter), Number(n))
}

/** @returns null for treasury, which lists debts only, so that an unlisted document is no finding */
function rangeOf({ range }: Sweep): Span | null {
  if (range.route === 'treasury' || range.from === null || range.to === null) return null
  const from = readTimestamp(range.from)
  const to = readTimestamp(range.to)
  return 'instant' in from && 'instant' in to ? { from: from.instant, to: to.instant } : null
}

/** Whether a document belongs to the range: by its issue date, or by the instants of its events when no event has the date. */
function within(events: readonly DocumentEvent[], { from, to }: Span): boolean {
  const issuedAt = issuedAtOf(events)
  if (issuedAt !== null) return issuedAt >= from && issuedAt <= to
  return events.some(({ instant }) => instant >= from && instant <= to)
}

/** A sweep of one document type lists only that type, so captured documents of other types do not count. */
const isAskedFor = (events: readonly DocumentEvent[], { range }: Sweep): boolean =>
  range.documentTypeId === null ||
  events.findLast(({ documentType }) => documentType !== null)?.documentType === range.documentTypeId

/** Scans all spans, as there are at most the dates of a year. */
const isIn = (spans: ComparisonTerms['unreached'], instant: number): boolean =>
  spans.some(({ from, to }) => instant >= from && instant <= to)

export const classAt = (place: number): DocumentClass => CLASSES[place] ?? 'matched'

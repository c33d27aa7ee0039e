import { KINDS, type Kind } from '#catalog/kinds.ts'
import type { DocumentRow, FieldDifference, Missed, MissRule, RowRule, Sweep } from '#contract/reconcile.ts'
import { MISS_RULES } from '#contract/values.ts'
import {
  type CapturedEvent,
  familyOf,
  type Judgement,
  kindOf,
  type RemoteDocument,
  type Terms,
} from './documents.ts'
import { sameValue } from './fingerprint.ts'
import { isNameless } from './sweep-item.ts'

export interface Sides {
  readonly remote?:
    | {
        readonly document: RemoteDocument
        readonly firstReturnedAt: number
      }
    | undefined
  /** In order of their instants. */
  readonly events: readonly CapturedEvent[]
  /** Instant of the latest captured note that modifies the document; null when there is none. */
  readonly noteAt: number | null
  /** The item has no document id, so events without a Number cannot be joined with it. */
  readonly byNumber: boolean
  readonly taken?: ReadonlySet<Kind> | undefined
}

const NOTHING: Omit<Judgement, 'class' | 'rules'> = {
  missed: [],
  cannotTell: [],
  differences: [],
  likelyReason: null,
}

interface Findings {
  readonly missed: Missed[]
  readonly cannotTell: MissRule[]
  /** Reasons other than missed events why the document differs. */
  readonly others: RowRule[]
}

/** Judges which events were missed, and by which rules (readings, Reconciling). A lost event that a later one superseded is invisible. */
export function judge(sides: Sides, terms: Terms): Judgement {
  const { remote, events } = sides
  if (!remote) return onlyCaptured(events, terms)
  const { document } = remote
  if (isNameless(document))
    return { ...NOTHING, class: 'cannot-tell', rules: ['not-identified'], cannotTell: MISS_RULES }
  if (terms.otherIds && events.length === 0 && !document.number)
    return { ...NOTHING, class: 'cannot-tell', rules: ['other-ids'], cannotTell: MISS_RULES }
  const family = familyOf(document, events, terms)
  const created = events.some(({ kind }) => kind.endsWith('.created'))
  const found: Findings = { missed: [], cannotTell: [], others: [] }
  const { missed, cannotTell, others } = found

  const creation = family && kindOf(family, 'created')
  // Other kinds of the document may be subscribed even when its creation is not.
  const expected = creation === null || subscribed(creation, terms)
  if (!created && expected) missed.push({ kind: creation, rule: 'no-created', certainty: 'missed' })
  if (family === 'invoice') status(sides, document, terms, found)
  else if (family === null) cannotTell.push('status-without-event')
  voiding(sides, document, family && kindOf(family, 'anulated'), terms, found)

  const differences = differencesOf(document, events, terms)
  const counting = differences.filter(({ ignored, shared }) => !ignored && !shared)
  const update = family && kindOf(family, 'updated')
  const compared = isCompared(document, events, terms)
  const since = counting.length > 0 && isSince(carrierOf(events), terms)
  if (since || (created && !compared)) cannotTell.push('values-differ')
  else if (counting.length > 0) values(sides, counting, update, terms, found)

  const rules = [...missed.map(({ rule }) => rule), ...others]
  const judgement = { missed, cannotTell, differences, likelyReason: null }
  const recovered = isRecovered(missed, sides.taken)
  if (!created && expected)
    return {
      ...judgement,
      class: notYetDue(remote, terms) ? 'not-yet-due' : recovered ? 'recovered' : 'missing',
      rules: unique(rules),
    }
  if (rules.length > 0) {
    const whole = recovered && others.length === 0 && missed.every(isCertain)
    return { ...judgement, class: whole ? 'recovered' : 'differs', rules: unique(rules) }
  }
  if (since) return { ...judgement, class: 'cannot-tell', rules: ['changed-since'] }
  if (!created) return { ...judgement, class: 'not-subscribed', rules: ['not-subscribed'] }
  return compared
    ? { ...judgement, class: 'matched', rules: [] }
    : { ...judgement, class: 'cannot-tell', rules: ['nothing-compared'] }
}

const isCertain = ({ certainty }: Missed): boolean => certainty === 'missed'

/** Whether a target accepted every certainly missed event. The capture still lacks them, so the rules stay. */
function isRecovered(missed: readonly Missed[], taken: Sides['taken']): boolean {
  const owed = missed.filter(isCertain)
  return owed.length > 0 && owed.every(({ kind }) => kind !== null && taken?.has(kind))
}

const unique = (rules: readonly RowRule[]): readonly RowRule[] => [...new Set(rules)]

function status(
  { events, byNumber }: Sides,
  { statusId }: RemoteDocument,
  terms: Terms,
  { missed, cannotTell }: Findings,
): void {
  const kind = statusId === null ? undefined : STATUS_KINDS.get(statusId)
  if (statusId === null) cannotTell.push('status-without-event')
  else if (kind && subscribed(kind, terms) && !events.some((event) => event.kind === kind))
    if (byNumber) cannotTell.push('status-without-event')
    else missed.push({ kind, rule: 'status-without-event', certainty: 'missed' })
}

function voiding(
  { events, byNumber }: Sides,
  { voided }: RemoteDocument,
  kind: Kind | null,
  terms: Terms,
  { missed, cannotTell, others }: Findings,
): void {
  const told = events.findLast((event) => event.kind.endsWith('.anulated'))
  if (voided === null) cannotTell.push('void-without-event')
  else if (!voided) {
    if (told && !isSince(told, terms)) others.push('void-not-in-service')
  } else if (!told && (kind === null || subscribed(kind, terms)))
    if (byNumber) cannotTell.push('void-without-event')
    else missed.push({ kind, rule: 'void-without-event', certainty: 'missed' })
}

const AMOUNTS: ReadonlySet<string> = new Set([
  'TaxableAmount',
  'ExemptAmount',
  'TotalDiscount',
  'TotalTaxes',
  'TotalWithholdings',
  'Total',
  'AmountDue',
  'Freight',
  'Tip',
])

/** Suspects a missed update, unless only AmountDue differs or a note after the last event explains changed amounts. */
function values(
  { events, noteAt }: Sides,
  counting: readonly FieldDifference[],
  update: Kind | null,
  terms: Terms,
  { missed, cannotTell, others }: Findings,
): void {
  const only = (names: ReadonlySet<string>) => counting.every(({ field }) => names.has(field))
  const told = carrierOf(events)?.instant ?? Number.POSITIVE_INFINITY
  if (only(DUE)) others.push('amount-due')
  else if (noteAt !== null && noteAt > told && only(AMOUNTS)) {
    others.push('note-explains')
    cannotTell.push('values-differ')
  } else if (update === null || subscribed(update, terms))
    missed.push({ kind: update, rule: 'values-differ', certainty: 'possibly' })
  else others.push('values-differ')
}
const DUE: ReadonlySet<string> = new Set(['AmountDue'])

/** The event whose accounting projection is compared: the latest that has one. */
const carrierOf = (events: readonly CapturedEvent[]): CapturedEvent | undefined =>
  events.findLast(({ accounting }) => accounting.size > 0)

const isSince = (event: CapturedEvent | undefined, { sweptBefore }: Terms): boolean =>
  event !== undefined && event.deliveryId >= sweptBefore

function isCompared({ accounting }: RemoteDocument, events: readonly CapturedEvent[], terms: Terms): boolean {
  const captured = carrierOf(events)?.accounting
  if (!captured) return false
  for (const field of accounting.keys())
    if (captured.has(field) && !terms.ignoredFields.has(field) && !terms.sharedFields.has(field)) return true
  return false
}

function differencesOf(
  remote: RemoteDocument,
  events: readonly CapturedEvent[],
  { ignoredFields, sharedFields, zone }: Terms,
): readonly FieldDifference[] {
  const captured = carrierOf(events)?.accounting
  if (!captured) return []
  const differences: FieldDifference[] = []
  for (const [field, theirs] of remote.accounting) {
    const ours = captured.get(field)
    if (!ours || sameValue(ours, theirs, zone)) continue
    const how = { ignored: ignoredFields.has(field), shared: sharedFields.has(field) }
    differences.push({ field, captured: ours.source, service: theirs.source, ...how })
  }
  return differences
}

function onlyCaptured(events: readonly CapturedEvent[], terms: Terms): Judgement {
  if (events.every(({ issuedAt }) => issuedAt === null))
    return { ...NOTHING, class: 'date-unknown', rules: ['no-issue-date'] }
  const unjoined = terms.itemsByNumber && events.every(({ number }) => number === null)
  if (terms.unidentifiedItems || unjoined)
    return { ...NOTHING, class: 'cannot-tell', rules: ['items-not-identified'] }
  const likelyReason = events.some(({ kind }) => kind.endsWith('.anulated'))
    ? 'voided'
    : carrierOf(events)?.accounting.get('AwaitsFiscalValidation')?.key === 'true'
      ? 'awaits-fiscal-validation'
      : null
  return { ...NOTHING, class: 'webhook-only', rules: ['not-listed'], likelyReason }
}

/** True for a document issued and first returned only recently, whose event may still arrive. */
function notYetDue(remote: Sides['remote'], { now, notYetDue: bounds }: Terms): boolean {
  if (!remote || remote.document.issuedAt === null) return false
  const issued = now - remote.document.issuedAt / 1_000
  const returned = now - remote.firstReturnedAt
  return issued < bounds.issuedHours * 3_600_000 && returned < bounds.returnedMinutes * 60_000
}

const subscribed = (kind: Kind, { kinds }: Terms): boolean => kinds === null || kinds.has(kind)

const STATUS_KINDS: ReadonlyMap<number, Kind> = new Map(
  KINDS.flatMap(({ kind, statusId }) => (statusId === undefined ? [] : [[statusId, kind] as const])),
)

/** Whether the service could not list the document yet. @param row in microseconds, `startedAt` in milliseconds */
export const isIssuedSince = (
  row: Pick<DocumentRow, 'class' | 'issuedAt'>,
  { startedAt }: Pick<Sweep, 'startedAt'>,
): boolean => row.class === 'webhook-only' && row.issuedAt !== null && row.issuedAt > startedAt * 1_000

import type { Kind } from '#catalog/kinds.ts'
import { KINDS } from '#catalog/kinds.ts'
import {
  type DocumentClass,
  type FieldDifference,
  MISS_RULES,
  type Missed,
  type MissRule,
} from '#contract/reconcile.ts'
import { sameValue } from './canonical.ts'
import { familyOf, kindOf } from './family.ts'
import { isNameless } from './sweep-item.ts'
import type { CapturedEvent, Judgement, RemoteDocument, Terms } from './types.ts'

/** Both sides of one document; at least one of them is there. */
export interface Sides {
  readonly remote?:
    | {
        readonly document: RemoteDocument
        /** Milliseconds since the epoch: when a sweep first returned it. */
        readonly firstReturnedAt: number
      }
    | undefined
  /** In order of their instants. */
  readonly events: readonly CapturedEvent[]
  /** A captured credit or debit note modifies it: that explains other amounts. */
  readonly modifiedByNote: boolean
}

const NOTHING: Omit<Judgement, 'class'> = { missed: [], cannotTell: [], differences: [], likelyReason: null }

/**
 * Compares the two sides of one document and says what was missed, and by which rule (readings, Reconciling). A lost event that a later
 * one superseded leaves no trace; nothing here can find it.
 */
export function judge(sides: Sides, terms: Terms): Judgement {
  const { remote, events } = sides
  if (!remote) return onlyCaptured(events, terms)
  const family = familyOf(remote.document, events, terms)
  const created = events.some(({ kind }) => kind.endsWith('.created'))
  const missed: Missed[] = []
  const cannotTell: MissRule[] = []

  const creation = family && kindOf(family, 'created')
  // Other kinds of its life may be selected all the same, and be missed.
  const expected = creation === null || subscribed(creation, terms)
  if (isNameless(remote.document)) return { ...NOTHING, class: 'missing', cannotTell: MISS_RULES }
  if (!created && expected) missed.push({ kind: creation, rule: 'no-created', certainty: 'missed' })
  if (family === 'invoice') status(sides, terms, missed, cannotTell)
  else if (family === null) cannotTell.push('status-without-event')
  voiding(sides, family && kindOf(family, 'anulated'), terms, missed, cannotTell)

  const differences = differencesOf(remote.document, events, terms.ignoredFields)
  const counting = differences.filter(({ ignored }) => !ignored)
  const update = family && kindOf(family, 'updated')
  const explained = sides.modifiedByNote || counting.every(({ field }) => field === 'AmountDue')
  if (!explained && (update === null || subscribed(update, terms)))
    missed.push({ kind: update, rule: 'values-differ', certainty: 'possibly' })
  if (created && remote.document.accounting.size === 0) cannotTell.push('values-differ')

  return { class: classOf(), missed, cannotTell, differences, likelyReason: null }

  function classOf(): DocumentClass {
    if (!created && expected) return notYetDue(remote, terms) ? 'not-yet-due' : 'missing'
    if (missed.length > 0 || counting.length > 0) return 'differs'
    return created ? 'matched' : 'not-subscribed'
  }
}

/** An answer of the tax authority that the service knows and no event told: for invoices only. */
function status({ remote, events }: Sides, terms: Terms, missed: Missed[], cannotTell: MissRule[]): void {
  const statusId = remote?.document.statusId ?? null
  if (statusId === null) {
    cannotTell.push('status-without-event')
    return
  }
  const kind = STATUS_KINDS.get(statusId)
  if (kind && subscribed(kind, terms) && !events.some((event) => event.kind === kind))
    missed.push({ kind, rule: 'status-without-event', certainty: 'missed' })
}

function voiding(
  { remote, events }: Sides,
  kind: Kind | null,
  terms: Terms,
  missed: Missed[],
  cannotTell: MissRule[],
): void {
  const voided = remote?.document.voided ?? null
  if (voided === null) cannotTell.push('void-without-event')
  else if (voided && !events.some((event) => event.kind.endsWith('.anulated')))
    if (kind === null || subscribed(kind, terms))
      missed.push({ kind, rule: 'void-without-event', certainty: 'missed' })
}

/** The latest captured accounting projection against the service's, where both have a value. */
export function differencesOf(
  remote: RemoteDocument,
  events: readonly CapturedEvent[],
  ignored: ReadonlySet<string>,
): readonly FieldDifference[] {
  const captured = events.findLast(({ accounting }) => accounting.size > 0)?.accounting
  if (!captured) return []
  const differences: FieldDifference[] = []
  for (const [field, theirs] of remote.accounting) {
    const ours = captured.get(field)
    if (ours && !sameValue(ours, theirs))
      differences.push({ field, captured: ours.source, service: theirs.source, ignored: ignored.has(field) })
  }
  return differences
}

function onlyCaptured(events: readonly CapturedEvent[], terms: Terms): Judgement {
  if (events.every(({ issuedAt }) => issuedAt === null)) return { ...NOTHING, class: 'date-unknown' }
  const latest = events.findLast(({ accounting }) => accounting.size > 0)
  const type = events.findLast(({ documentType }) => documentType !== null)?.documentType ?? null
  const likelyReason = events.some(({ kind }) => kind.endsWith('.anulated'))
    ? 'voided'
    : latest?.accounting.get('AwaitsFiscalValidation')?.key === 'true'
      ? 'awaits-fiscal-validation'
      : terms.documentType !== null && type !== terms.documentType
        ? 'other-type'
        : null
  return { ...NOTHING, class: 'webhook-only', likelyReason }
}

/** Issued within the last hours and first returned only minutes ago: its event may still be on its way. */
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

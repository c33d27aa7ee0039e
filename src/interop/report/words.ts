import type { Kind } from '#catalog/kinds.ts'
import { KINDS } from '#catalog/kinds.ts'
import type {
  DocumentClass,
  DocumentRow,
  Evidence,
  FieldDifference,
  Missed,
  MissRule,
  Sweep,
} from '#contract/reconcile.ts'
import { familyOfKind } from '#core/reconcile/family.ts'
import { zonedText } from '#core/reconcile/zone.ts'

export const CLASS_WORDS: Readonly<Record<DocumentClass, string>> = {
  missing: 'missing in capture',
  differs: 'differs',
  'webhook-only': 'webhook only',
  'not-yet-due': 'not yet due',
  'date-unknown': 'date unknown',
  'not-subscribed': 'not subscribed',
  matched: 'matched',
}

/** What each class means, for whoever was handed the result and has never seen Acuse. */
export const CLASS_MEANINGS: Readonly<Record<DocumentClass, string>> = {
  missing: 'the service lists it, and no event of its creation was captured',
  differs: 'captured, and the service now says something that no captured event told',
  'webhook-only': 'captured with an issue date in the range, and the service does not list it',
  'not-yet-due': 'as missing, but so recent that its event may still be on its way',
  'date-unknown': 'captured events of it carry no issue date, so whether it belongs to the range is unknown',
  'not-subscribed': 'no event of its creation can come: the subscription does not select the kind',
  matched: 'both sides say the same',
}

export const RULE_WORDS: Readonly<Record<MissRule, string>> = {
  'no-created': 'listed by the service, no created event captured',
  'status-without-event': "the service has the tax authority's answer, no event told it",
  'void-without-event': 'voided at the service, no void event captured',
  'values-differ': 'values differ from the last captured ones',
}

/** The kind is the catalogue's own name, or says that the record does not tell it. */
export const kindWord = (kind: Kind | null): string => kind ?? 'kind unknown'

export const missedText = ({ kind, rule, certainty }: Missed): string =>
  `${kindWord(kind)}${certainty === 'possibly' ? ' (possibly)' : ''}: ${RULE_WORDS[rule]}`

const REASONS = {
  voided: 'likely because it was voided',
  'awaits-fiscal-validation': 'likely because it awaits fiscal validation',
  'other-type': 'likely because it is of another document type than was swept',
} as const

/** Beside the classes: what an incomplete sweep says nothing about. */
export const NOT_REACHED =
  'captured, issued on dates that the sweep did not list whole: nothing is said of them'

/** Everything about a document that is neither its identity nor a missed event: one sentence each. */
export function remarks(row: DocumentRow): readonly string[] {
  return [
    ...(row.likelyReason === null ? [] : [REASONS[row.likelyReason]]),
    ...row.cannotTell.map((rule) => `cannot tell: ${CANNOT[rule]}`),
    ...(row.ignored === null ? [] : [`ignored because: ${row.ignored}`]),
    ...(row.note === null ? [] : [`note: ${row.note}`]),
    ...(row.recovered === null
      ? []
      : [`recovered ${instant(row.recovered.at)}, answered ${row.recovered.status}`]),
  ]
}

const CANNOT: Readonly<Record<MissRule, string>> = {
  'no-created': 'whether its creation was missed',
  'status-without-event': "whether a status event was missed (the service's item has no status)",
  'void-without-event': "whether a void was missed (the service's item does not say whether it is voided)",
  'values-differ': "whether an update was missed (the service's item has no accounting projection)",
}

export const differenceText = ({ field, captured, service, ignored }: FieldDifference): string =>
  `${field}: captured ${captured ?? 'nothing'}, service ${service ?? 'nothing'}${ignored ? ' (ignored)' : ''}`

const COVERAGE = {
  listening: 'listening',
  off: 'off',
  asleep: 'asleep',
  'port-lost': 'without its port',
  starting: 'starting',
} as const

export function evidenceText(evidence: Evidence): string {
  switch (evidence.type) {
    case 'coverage':
      return `Acuse was ${evidence.spans
        .map(({ state, from, to }) => `${COVERAGE[state]} from ${atMillis(from)} to ${atMillis(to)}`)
        .join('; ')}`
    case 'lookalike':
      return `rejected or malformed deliveries that name it: ${ids(evidence.deliveries)}`
    case 'answers':
      return `${evidence.count} deliveries of that time were answered ${evidence.status}`
    case 'duplicates':
      return `duplicates captured: ${ids(evidence.deliveries)}`
  }
}

const ids = (deliveries: readonly { readonly id: number }[]): string =>
  deliveries.map(({ id }) => `#${id}`).join(', ')

/** Of the subscribed kinds, those that no sync route lists. */
const UNPROVABLE = KINDS.filter(({ kind }) => familyOfKind(kind) === null).map(({ kind }) => kind)

/** What no sweep can prove (README, Reconcile, limits); said in every report and under every table. */
export const LIMITS: readonly string[] = [
  `The sync routes list invoices, notes and expenses only. Events of these ${UNPROVABLE.length} kinds cannot be proved: ${UNPROVABLE.join(', ')}.`,
  'A lost event that a later one superseded leaves no trace: a lost update before a captured update, or a lost status before a later one. No tool can prove it from the routes.',
  'What is compared is the accounting projection: an update of texts or lines that leaves every amount, date and code as it was cannot be seen.',
  'An update is only possibly missed: differing values show that something changed, not that an event was sent and lost. AmountDue alone never counts, since payments change it.',
  'Status events are judged for invoices only, since only invoices emit them. The treasury route lists debts only, so absence from it proves nothing.',
]

export const method = (sweep: Sweep): readonly string[] => [
  `Every page of ${sweep.range.route}-sync of the range was asked for, and each document of it joined with its captured events by document id, ignoring case; without one by Number.`,
  'Numbers are compared as exact decimals, dates by instant, text exactly.',
  ...(sweep.mapping !== null && sweep.mapping.documentId === null
    ? ['The items of this service carry no document id: documents were joined by Number.']
    : []),
]

/** An issue date as people of that time zone write it, to the second. @param micros microseconds since the epoch */
export const issued = (micros: number, zone: string): string =>
  zonedText(zone, micros).slice(0, 19).replace('T', ' ')

/** @param micros microseconds since the epoch */
export const instant = (micros: number): string => atMillis(micros / 1_000)

/** @param millis milliseconds since the epoch @returns ISO 8601 in UTC, to the second */
export const atMillis = (millis: number): string => `${new Date(millis).toISOString().slice(0, 19)}Z`

export const documentName = (row: DocumentRow): string => row.number ?? row.documentId ?? row.key

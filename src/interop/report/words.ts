import { KINDS, type Kind } from '#catalog/kinds.ts'
import { filled, filledCounted, type Language } from '#catalog/text.ts'
import type {
  DocumentRow,
  Evidence,
  FieldDifference,
  Missed,
  ReconciliationSummary,
  SharedDifference,
} from '#contract/reconcile.ts'
import { familyOfKind } from '#core/reconcile/documents.ts'
import { zonedText } from '#core/time/zone.ts'
import english from './en.json' with { type: 'json' }
import spanish from './es.json' with { type: 'json' }

export type ReportWords = typeof english
const WORDS: Readonly<Record<Language, ReportWords>> = { en: english, es: spanish }
export const wordsOf = (language: Language): ReportWords => WORDS[language]

export const kindWord = (words: ReportWords, kind: Kind | null): string => kind ?? words.kindUnknown

export const missedText = (words: ReportWords, { kind, rule, certainty }: Missed): string =>
  `${kindWord(words, kind)}${certainty === 'possibly' ? words.possibly : ''}: ${words.rules[rule]}`

/** Rules and reasons other than missed events, one sentence each. */
function grounds(words: ReportWords, row: DocumentRow): readonly string[] {
  const rules = row.rules.filter((rule) => !row.missed.some((missed) => missed.rule === rule))
  return [
    ...rules.map((rule) => words.rules[rule]),
    ...(row.issuedSince ? [words.issuedSince] : []),
    ...(row.likelyReason === null ? [] : [words.reasons[row.likelyReason]]),
    ...row.cannotTell.map((rule) => `${words.cannotTell}: ${words.cannot[rule]}`),
  ]
}

export const reasonText = (words: ReportWords, row: DocumentRow): string =>
  [...row.missed.map((missed) => missedText(words, missed)), ...grounds(words, row)].join('; ')

/** Everything about a row except its identity and missed events, one sentence each. @param when formats an instant */
export function remarks(words: ReportWords, row: DocumentRow, when = instant): readonly string[] {
  return [
    ...grounds(words, row),
    ...(row.ignored === null ? [] : [`${words.ignoredBecause}: ${row.ignored}`]),
    ...(row.note === null ? [] : [`${words.note}: ${row.note}`]),
    ...(row.recovered === null
      ? []
      : [filled(words.recovered, { at: when(row.recovered.at), status: String(row.recovered.status) })]),
  ]
}

export const differenceText = (words: ReportWords, { ignored, shared, ...one }: FieldDifference): string =>
  `${filled(words.difference, sides(words, one))}${shared ? words.shared : ignored ? words.ignored : ''}`

export const sharedText = (words: ReportWords, { documents, ...one }: SharedDifference): string =>
  filled(words.sharedDifference, { documents, ...sides(words, one) })

const sides = (
  { nothing }: ReportWords,
  { field, captured, service }: Pick<FieldDifference, 'field' | 'captured' | 'service'>,
) => ({ field, captured: captured ?? nothing, service: service ?? nothing })

export function evidenceText(words: ReportWords, evidence: Evidence): string {
  switch (evidence.type) {
    case 'coverage': {
      const spans = evidence.spans.map(({ state, from, to }) =>
        filled(words.was.span, { state: words.coverage[state], from: atMillis(from), to: atMillis(to) }),
      )
      return filled(words.was.all, { spans: spans.join('; ') })
    }
    case 'lookalike':
      return filled(words.lookalikes, { ids: ids(evidence.deliveries) })
    case 'answers':
      return filled(words.answered, evidence)
    case 'duplicates':
      return filled(words.duplicates, { ids: ids(evidence.deliveries) })
    case 'deleted':
      return filledCounted(words.deleted, evidence.count)
  }
}

const ids = (deliveries: readonly { readonly id: number }[]): string =>
  deliveries.map(({ id }) => `#${id}`).join(', ')

const UNPROVABLE = KINDS.filter(({ kind }) => familyOfKind(kind) === null).map(({ kind }) => kind)

/** Limits of any sweep (docs/guide/reconcile.md), stated in every report and below every table. */
export const limitsOf = (words: ReportWords): readonly string[] =>
  words.limits.map((text) => filled(text, { count: UNPROVABLE.length, kinds: UNPROVABLE.join(', ') }))

export const joinedBy = ({ sweep, joinedByNumber = false }: ReconciliationSummary): 'id' | 'number' =>
  joinedByNumber || (sweep.mapping !== null && sweep.mapping.documentId === null) ? 'number' : 'id'

export const method = (words: ReportWords, summary: ReconciliationSummary): readonly string[] => [
  filled(words.joined, { route: summary.sweep.range.route }),
  words.compared,
  ...(summary.joinedByNumber ? [words.byOtherIds] : joinedBy(summary) === 'number' ? [words.byNumber] : []),
]

/** Formats an issue date in its time zone, to the second. @param micros microseconds since the epoch */
export const issued = (micros: number, zone: string): string =>
  zonedText(zone, micros).slice(0, 19).replace('T', ' ')

/** @param micros microseconds since the epoch */
export const instant = (micros: number): string => atMillis(micros / 1_000)

export const atMillis = (millis: number): string => `${new Date(millis).toISOString().slice(0, 19)}Z`

export const documentName = (row: DocumentRow): string => row.number ?? row.documentId ?? row.key

import type { DocumentRow, ReconciliationSummary } from '#contract/reconcile.ts'
import { CLASSES } from '#contract/values.ts'
import { documentTypesText } from '#core/reconcile/document-types.ts'
import type { Report, ReportDocument, ReportSection } from './model.ts'
import {
  atMillis,
  differenceText,
  evidenceText,
  issued,
  limitsOf,
  method,
  missedText,
  remarks,
  wordsOf,
} from './words.ts'
import type { ReportWords } from './words-en.ts'

/** One for each date that was not seen whole; the first few tell all that a person can use. */
const PROBLEMS_SAID = 5

/** A report as plain text in its order: what every form for reading prints, each in its own dress. */
export interface Outline {
  readonly title: string
  readonly intro: string
  readonly scope: readonly Fact[]
  readonly sections: readonly OutlineSection[]
  readonly limits: readonly string[]
  /** For what the forms add: headings and names of columns. */
  readonly words: ReportWords
}
export type Fact = readonly [name: string, value: string]

export interface OutlineSection {
  readonly title: string
  /** Null: the sweep is complete. */
  readonly warning: string | null
  readonly facts: readonly Fact[]
  readonly method: readonly string[]
  readonly counts: readonly (readonly [name: string, count: number, meaning: string])[]
  readonly money: readonly Fact[]
  readonly missedEvents: readonly (readonly [kind: string, count: number])[]
  /** Fields in which every document differs. */
  readonly shared: readonly Fact[]
  /** Null: every document other than matched is listed. */
  readonly unlisted: string | null
  readonly documents: readonly OutlineDocument[]
}

export interface OutlineDocument {
  readonly number: string
  readonly documentId: string
  readonly class: string
  readonly issuedAt: string
  readonly party: string
  readonly total: string
  readonly missed: readonly string[]
  /** Why, what differs, what is known about the time, what was done. */
  readonly details: readonly string[]
}

export function outline(report: Report): Outline {
  const { connection, recovery } = report
  const words = wordsOf(report.language)
  const { scope } = words
  const { issuedHours, returnedMinutes } = connection.notYetDue
  return {
    words,
    title: words.title(connection.name),
    intro: words.intro,
    scope: [
      [
        scope.connection,
        connection.name === connection.baseUrl
          ? connection.baseUrl
          : `${connection.name}, ${connection.baseUrl}`,
      ],
      [scope.endpoints, connection.endpoints.length === 0 ? words.all : connection.endpoints.join(', ')],
      [scope.kinds, connection.kinds === null ? words.allKinds : connection.kinds.join(', ')],
      [scope.zone, connection.zone],
      [scope.ignoredFields, connection.ignoredFields.join(', ') || words.none],
      [
        scope.notYetDue,
        issuedHours === 0 || returnedMinutes === 0
          ? words.neverDue
          : words.notYetDue(issuedHours, returnedMinutes),
      ],
      ...(connection.documentTypes.length === 0
        ? []
        : [[scope.documentTypes, documentTypesText(connection.documentTypes)] as const]),
      [scope.personal, report.masked ? words.masked : words.unmasked],
      ...(recovery === null
        ? []
        : [
            [
              scope.recovery,
              words.recovery(recovery.target, recovery.events, recovery.sent, recovery.failed),
            ] as const,
          ]),
      [scope.made, words.madeBy(atMillis(report.createdAt), report.version)],
    ],
    sections: report.sections.map((section) => sectionOf(section, connection.zone, words)),
    limits: limitsOf(words),
  }
}

function sectionOf(
  { summary, documents, unlisted = 0 }: ReportSection,
  zone: string,
  words: ReportWords,
): OutlineSection {
  const { sweep } = summary
  const { range } = sweep
  const { facts } = words
  return {
    title: `${range.route}-sync`,
    warning: sweep.state === 'complete' ? null : warningOf(summary, zone, words),
    facts: [
      [facts.dates, words.range(range.from ?? words.beginning, range.to ?? words.end)],
      ...(range.documentTypeId === null ? [] : [[facts.documentType, String(range.documentTypeId)] as const]),
      [facts.sweep, words.sweep({ ...sweep, pageSize: range.pageSize })],
      [facts.compared, atMillis(summary.comparedAt)],
      ...firstAndLast(summary, zone, words),
      ...leftToRecover(summary, words),
    ],
    method: method(words, summary),
    counts: [
      ...CLASSES.map((name) => [words.classes[name], summary.counts[name], words.meanings[name]] as const),
      ...(summary.notReached > 0
        ? [[words.notReached, summary.notReached, words.notReachedMeaning] as const]
        : []),
    ],
    money: summary.atStake.map(
      ({ currency, amount, documents: count }) => [currency, words.stake(amount, count)] as const,
    ),
    missedEvents: Object.entries(summary.missedEvents).map(
      ([kind, count]) => [kind === 'unknown' ? words.kindUnknown : kind, count ?? 0] as const,
    ),
    shared: summary.sharedDifferences.map(
      ({ field, documents: count, captured, service }) =>
        [field, words.sharedDifference(count, captured, service)] as const,
    ),
    unlisted: unlisted === 0 ? null : words.unlisted(documents.length, unlisted),
    documents: documents.map((document) => documentOf(document, zone, words)),
  }
}

function warningOf(
  { sweep, notReached, unreached }: ReconciliationSummary,
  zone: string,
  words: ReportWords,
): string {
  const { state, problems } = sweep
  const [first, last] = [unreached[0], unreached.at(-1)]
  const told = problems.slice(0, PROBLEMS_SAID).map(({ code, message }) => words.problems?.[code] ?? message)
  return [
    words.incomplete(words.states[state]),
    ...(first && last ? [words.unreached(issued(first.from, zone), issued(last.to, zone), notReached)] : []),
    ...told,
  ].join(' ')
}

function firstAndLast(
  { firstMissing, lastMissing }: ReconciliationSummary,
  zone: string,
  words: ReportWords,
): readonly Fact[] {
  if (firstMissing === null || lastMissing === null) return []
  return [[words.facts.missingIssued, words.range(issued(firstMissing, zone), issued(lastMissing, zone))]]
}

function leftToRecover(
  { recovered, notRecovered }: ReconciliationSummary,
  words: ReportWords,
): readonly Fact[] {
  if (recovered === 0 && notRecovered === 0) return []
  return [[words.facts.recovered, words.leftToRecover(recovered, notRecovered)]]
}

function documentOf(
  { row, differences, evidence }: ReportDocument,
  zone: string,
  words: ReportWords,
): OutlineDocument {
  return {
    number: row.number ?? '',
    documentId: row.documentId ?? '',
    class: words.classes[row.class],
    issuedAt: row.issuedAt === null ? '' : issued(row.issuedAt, zone),
    party: row.party ?? '',
    total: amountOf(row),
    missed: row.missed.map((missed) => missedText(words, missed)),
    details: [
      ...differences.map((one) => differenceText(words, one)),
      ...remarks(words, row),
      ...evidence.map((one) => `${words.evidence}: ${evidenceText(words, one)}`),
    ],
  }
}

const amountOf = ({ total, currency }: DocumentRow): string =>
  total === null ? '' : [total, currency].filter((part) => part !== null).join(' ')

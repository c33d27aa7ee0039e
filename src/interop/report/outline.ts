import { CLASSES, type DocumentRow, type ReconciliationSummary } from '#contract/reconcile.ts'
import type { Report, ReportDocument, ReportSection } from './model.ts'
import {
  atMillis,
  CLASS_MEANINGS,
  CLASS_WORDS,
  differenceText,
  evidenceText,
  issued,
  LIMITS,
  method,
  missedText,
  NOT_REACHED,
  remarks,
} from './words.ts'

/** One for each date that was not seen whole; the first few tell all that a person can use. */
const PROBLEMS_SAID = 5

/** A report as plain text in its order: what every form for reading prints, each in its own dress. */
export interface Outline {
  readonly title: string
  readonly intro: string
  readonly scope: readonly Fact[]
  readonly sections: readonly OutlineSection[]
  readonly limits: readonly string[]
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
  return {
    title: `Reconciliation of ${connection.name}`,
    intro: 'Captured webhook deliveries compared with the records of the service itself.',
    scope: [
      [
        'Connection',
        connection.name === connection.baseUrl
          ? connection.baseUrl
          : `${connection.name}, ${connection.baseUrl}`,
      ],
      ['Endpoints', connection.endpoints.length === 0 ? 'all' : connection.endpoints.join(', ')],
      ['Subscribed kinds', connection.kinds === null ? 'all 28' : connection.kinds.join(', ')],
      ['Time zone', connection.zone],
      ['Fields that do not count', connection.ignoredFields.join(', ') || 'none'],
      [
        'Not yet due',
        `issued less than ${connection.notYetDue.issuedHours} h ago and first returned less than ${connection.notYetDue.returnedMinutes} min ago`,
      ],
      [
        'Personal data',
        report.masked
          ? 'names of customers and suppliers are covered; notes stand as they were typed'
          : 'shown',
      ],
      ...(recovery === null
        ? []
        : [
            [
              'Recovery',
              `${recovery.events} events rebuilt as synthetic deliveries and sent to ${recovery.target}: ${recovery.sent} taken, ${recovery.failed} failed`,
            ] as const,
          ]),
      ['Made', `${atMillis(report.createdAt)} by Acuse ${report.version}`],
    ],
    sections: report.sections.map((section) => sectionOf(section, connection.zone)),
    limits: LIMITS,
  }
}

function sectionOf({ summary, documents }: ReportSection, zone: string): OutlineSection {
  const { sweep } = summary
  const { range } = sweep
  return {
    title: `${range.route}-sync`,
    warning:
      sweep.state === 'complete'
        ? null
        : `This sweep is not complete (${sweep.state}): what is missing here is missing, but there may be more. ${notReachedText(summary, zone)}${sweep.problems
            .slice(0, PROBLEMS_SAID)
            .map(({ message }) => message)
            .join(' ')}`.trim(),
    facts: [
      ['Issue dates', `${range.from ?? 'the beginning'} to ${range.to ?? 'the end'}`],
      ...(range.documentTypeId === null ? [] : [['Document type', String(range.documentTypeId)] as const]),
      [
        'Sweep',
        `${sweep.id}; documents: ${sweep.documents}; pages: ${sweep.pages}, of at most ${range.pageSize} items; requests: ${sweep.requests}, of which tried again: ${sweep.retries}`,
      ],
      ['Compared', atMillis(summary.comparedAt)],
      ...firstAndLast(summary, zone),
      ...leftToRecover(summary),
    ],
    method: method(sweep),
    counts: [
      ...CLASSES.map((name) => [CLASS_WORDS[name], summary.counts[name], CLASS_MEANINGS[name]] as const),
      ...(summary.notReached > 0 ? [['not reached', summary.notReached, NOT_REACHED] as const] : []),
    ],
    money: summary.atStake.map(
      ({ currency, amount, documents: count }) =>
        [currency, `${amount} in ${count} missing ${count === 1 ? 'document' : 'documents'}`] as const,
    ),
    missedEvents: Object.entries(summary.missedEvents).map(
      ([kind, count]) => [kind === 'unknown' ? 'kind unknown' : kind, count ?? 0] as const,
    ),
    documents: documents.map((document) => documentOf(document, zone)),
  }
}

function notReachedText({ notReached, unreached }: ReconciliationSummary, zone: string): string {
  const [first, last] = [unreached[0], unreached.at(-1)]
  if (!first || !last) return ''
  return `It did not list all documents issued from ${issued(first.from, zone)} to ${issued(last.to, zone)}: ${notReached} captured ${notReached === 1 ? 'document' : 'documents'} of these dates ${notReached === 1 ? 'is' : 'are'} not reached and in no class. `
}

function firstAndLast({ firstMissing, lastMissing }: ReconciliationSummary, zone: string): readonly Fact[] {
  if (firstMissing === null || lastMissing === null) return []
  return [['Missing documents issued', `${issued(firstMissing, zone)} to ${issued(lastMissing, zone)}`]]
}

function leftToRecover({ recovered, notRecovered }: ReconciliationSummary): readonly Fact[] {
  if (recovered === 0 && notRecovered === 0) return []
  return [
    [
      'Recovered',
      `${recovered} ${recovered === 1 ? 'document' : 'documents'}; ${notRecovered} with missed events not recovered`,
    ],
  ]
}

function documentOf({ row, differences, evidence }: ReportDocument, zone: string): OutlineDocument {
  return {
    number: row.number ?? '',
    documentId: row.documentId ?? '',
    class: CLASS_WORDS[row.class],
    issuedAt: row.issuedAt === null ? '' : issued(row.issuedAt, zone),
    party: row.party ?? '',
    total: amountOf(row),
    missed: row.missed.map(missedText),
    details: [
      ...differences.map(differenceText),
      ...remarks(row),
      ...evidence.map((one) => `evidence: ${evidenceText(one)}`),
    ],
  }
}

const amountOf = ({ total, currency }: DocumentRow): string =>
  total === null ? '' : [total, currency].filter((part) => part !== null).join(' ')

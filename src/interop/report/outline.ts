import { filled, filledCounted, type Language } from '#catalog/text.ts'
import type { Connection } from '#contract/connection.ts'
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
  type ReportWords,
  remarks,
  sharedText,
  wordsOf,
} from './words.ts'

/** One for each date that was not seen whole; the first few tell all that a person can use. */
const PROBLEMS_SAID = 5

/** A report as plain text in its order: what every form for reading prints, each in its own dress. */
export interface Outline {
  readonly language: Language
  readonly title: string
  readonly blocks: readonly Block[]
}
export type Block =
  | { readonly type: 'text' | 'warning'; readonly text: string }
  | { readonly type: 'heading'; readonly text: string; readonly level: 2 | 3 }
  | { readonly type: 'facts'; readonly facts: readonly Fact[] }
  | { readonly type: 'list'; readonly texts: readonly string[] }
  | { readonly type: 'table'; readonly columns: readonly Column[]; readonly rows: readonly Row[] }
export type Fact = readonly [name: string, value: string]
export interface Column {
  readonly title: string
  readonly number?: boolean
  /** Names of the parts of its cells, where they have several: a page stacks them, a plain table has a column of each. */
  readonly parts?: readonly string[]
}
/** The cells, each with its parts, each with its lines. */
export type Row = readonly (readonly (readonly string[])[])[]

const heading = (text: string, level: 2 | 3 = 3): Block => ({ type: 'heading', text, level })
const facts = (all: readonly Fact[]): Block => ({ type: 'facts', facts: all })
const list = (texts: readonly string[]): Block => ({ type: 'list', texts })
const optional = <T>(present: boolean, ...made: readonly T[]): readonly T[] => (present ? made : [])
/** A part that has something in it, under its heading. */
const titled = (title: string, all: readonly unknown[], block: Block): readonly Block[] =>
  optional(all.length > 0, heading(title), block)

export function outline(report: Report): Outline {
  const words = wordsOf(report.language)
  const { connection, language } = report
  return {
    language,
    title: filled(words.title, { connection: connection.name }),
    blocks: [
      { type: 'text', text: words.intro },
      facts(scopeOf(report, connection, words)),
      ...report.sections.flatMap((section) => sectionOf(section, connection.zone, words)),
      heading(words.headings.limits, 2),
      list(limitsOf(words)),
    ],
  }
}

function scopeOf(
  { recovery, masked, createdAt, version }: Report,
  { name, baseUrl, endpoints, kinds, zone, ignoredFields, notYetDue, documentTypes }: Connection,
  words: ReportWords,
): readonly Fact[] {
  const { scope } = words
  const waits = notYetDue.issuedHours > 0 && notYetDue.returnedMinutes > 0
  const waiting = { hours: notYetDue.issuedHours, minutes: notYetDue.returnedMinutes }
  return [
    [scope.connection, name === baseUrl ? baseUrl : `${name}, ${baseUrl}`],
    [scope.endpoints, endpoints.join(', ') || words.all],
    [scope.kinds, kinds === null ? words.allKinds : kinds.join(', ')],
    [scope.zone, zone],
    [scope.ignoredFields, ignoredFields.join(', ') || words.none],
    [scope.notYetDue, waits ? filled(words.notYetDue, waiting) : words.neverDue],
    ...optional<Fact>(documentTypes.length > 0, [scope.documentTypes, documentTypesText(documentTypes)]),
    [scope.personal, masked ? words.masked : words.unmasked],
    ...(recovery ? [[scope.recovery, filled(words.recovery, { ...recovery })] as const] : []),
    [scope.made, filled(words.madeBy, { at: atMillis(createdAt), version })],
  ]
}

function sectionOf(
  { summary, documents, unlisted = 0 }: ReportSection,
  zone: string,
  words: ReportWords,
): readonly Block[] {
  const { sweep, counts, notReached, atStake, sharedDifferences } = summary
  const { headings, columns } = words
  const missedEvents = Object.entries(summary.missedEvents)
  const classes = [
    ...CLASSES.map((name) => [words.classes[name], counts[name], words.meanings[name]] as const),
    ...optional(notReached > 0, [words.notReached, notReached, words.notReachedMeaning] as const),
  ]
  return [
    heading(`${sweep.range.route}-sync`, 2),
    ...optional<Block>(sweep.state !== 'complete', {
      type: 'warning',
      text: warningOf(summary, zone, words),
    }),
    facts(factsOf(summary, zone, words)),
    heading(headings.method),
    list(method(words, summary)),
    heading(headings.result),
    table([columns.class, `#${columns.documents}`, columns.meaning], classes),
    ...titled(
      headings.money,
      atStake,
      facts(
        atStake.map(({ currency, amount, documents: n }) => [
          currency,
          filledCounted(words.stake, n, { amount }),
        ]),
      ),
    ),
    ...titled(
      headings.missedEvents,
      missedEvents,
      table(
        [columns.kind, `#${columns.events}`],
        missedEvents.map(([kind, count]) => [kind === 'unknown' ? words.kindUnknown : kind, count ?? 0]),
      ),
    ),
    ...titled(
      headings.shared,
      sharedDifferences,
      facts(sharedDifferences.map((one) => [one.field, sharedText(words, one)])),
    ),
    heading(headings.documents),
    ...optional<Block>(unlisted > 0, {
      type: 'warning',
      text: filled(words.unlisted, { listed: documents.length, more: unlisted }),
    }),
    documents.length === 0
      ? { type: 'text', text: words.noDocuments }
      : documentTable(documents, zone, words),
  ]
}

/** A name that begins with # is of a column of numbers. */
const table = (names: readonly string[], rows: readonly (readonly (string | number)[])[]): Block => ({
  type: 'table',
  columns: names.map((name) => ({ title: name.replace(/^#/, ''), number: name.startsWith('#') })),
  rows: rows.map((cells) => cells.map((cell) => [[String(cell)]])),
})

function documentTable(documents: readonly ReportDocument[], zone: string, words: ReportWords): Block {
  const { columns } = words
  return {
    type: 'table',
    columns: [
      { title: columns.document, parts: [columns.number, columns.documentId] },
      ...[columns.class, columns.issued, columns.party].map((title) => ({ title })),
      { title: columns.total, number: true },
      { title: columns.missedAndKnown, parts: [columns.missed, columns.known] },
    ],
    rows: documents.map(({ row, differences, evidence }) => [
      [[row.number ?? ''], [row.documentId ?? '']],
      [[words.classes[row.class]]],
      [[row.issuedAt === null ? '' : issued(row.issuedAt, zone)]],
      [[row.party ?? '']],
      [[amountOf(row)]],
      [
        row.missed.map((missed) => missedText(words, missed)),
        [
          ...differences.map((one) => differenceText(words, one)),
          ...remarks(words, row),
          ...evidence.map((one) => `${words.evidence}: ${evidenceText(words, one)}`),
        ],
      ],
    ]),
  }
}

function warningOf(
  { sweep, notReached, unreached }: ReconciliationSummary,
  zone: string,
  words: ReportWords,
): string {
  const [first, last] = [unreached[0], unreached.at(-1)]
  // The sentence of the service or the sweep itself is in English already and says more.
  const problems: Readonly<Record<string, string>> = words.problems
  return [
    filled(words.incomplete, { state: words.states[sweep.state] }),
    ...(first && last
      ? [
          filledCounted(words.unreached, notReached, {
            ...{ from: issued(first.from, zone), to: issued(last.to, zone) },
          }),
        ]
      : []),
    ...sweep.problems.slice(0, PROBLEMS_SAID).map(({ code, message }) => problems[code] ?? message),
  ].join(' ')
}

function factsOf(summary: ReconciliationSummary, zone: string, words: ReportWords): readonly Fact[] {
  const { sweep, comparedAt, counts, firstMissing, lastMissing, notRecovered } = summary
  const { id, documents, pages, requests, retries, range } = sweep
  const { facts: names } = words
  const { pageSize, documentTypeId } = range
  const between = (from: string, to: string) => filled(words.range, { from, to })
  return [
    [names.dates, between(range.from ?? words.beginning, range.to ?? words.end)],
    ...optional<Fact>(documentTypeId !== null, [names.documentType, String(documentTypeId)]),
    [names.sweep, filled(words.sweep, { id, documents, pages, pageSize, requests, retries })],
    [names.compared, atMillis(comparedAt)],
    ...(firstMissing === null || lastMissing === null
      ? []
      : [[names.missingIssued, between(issued(firstMissing, zone), issued(lastMissing, zone))] as const]),
    ...optional<Fact>(counts.recovered > 0 || notRecovered > 0, [
      names.recovered,
      filledCounted(words.leftToRecover, notRecovered),
    ]),
  ]
}

const amountOf = ({ total, currency }: DocumentRow): string =>
  total === null ? '' : [total, currency].filter((part) => part !== null).join(' ')

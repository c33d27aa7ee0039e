import { filled, filledCounted, type Language } from '#catalog/text.ts'
import type { Connection } from '#contract/connection.ts'
import type { DocumentRow, ReconciliationSummary } from '#contract/reconcile.ts'
import { CLASSES } from '#contract/values.ts'
import { amountText, grouped, LOCALES, money, signOf } from '#core/json/money.ts'
import { documentTypesText } from '#core/reconcile/documents.ts'
import type { Report, ReportDocument, ReportSection } from './model.ts'
import {
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

/** Maximum problems listed: there is one per incomplete date, and the first few are enough for a reader. */
const PROBLEMS_SAID = 5

export interface Outline {
  readonly language: Language
  readonly title: string
  readonly subtitle: string
  readonly blocks: readonly Block[]
}
export type Block =
  | { readonly type: 'text' | 'warning'; readonly text: string }
  | { readonly type: 'heading'; readonly text: string; readonly level: 2 | 3 }
  | { readonly type: 'facts'; readonly facts: readonly Fact[] }
  | { readonly type: 'list'; readonly texts: readonly string[] }
  | {
      readonly type: 'table'
      readonly columns: readonly Column[]
      readonly rows: readonly Row[]
      readonly tones?: readonly Tone[]
    }
  /** Charts; a table next to them has the same data. */
  | { readonly type: 'figures'; readonly figures: readonly Figure[] }
  | { readonly type: 'days'; readonly title: string; readonly days: ReconciliationSummary['days'] }
export type Tone = 'good' | 'bad' | 'odd' | 'plain'
export interface Figure {
  readonly value: string
  readonly label: string
  readonly tone: Tone
}
export type Fact = readonly [name: string, value: string]
export interface Column {
  readonly title: string
  readonly number?: boolean
  /** Names of the parts of a cell, if it has several: HTML stacks them, a plain table gives each a column. */
  readonly parts?: readonly string[]
}
/** Cells of a row, each with its parts, each with its lines. */
export type Row = readonly (readonly (readonly string[])[])[]

type Table = Extract<Block, { readonly type: 'table' }>
interface Speech {
  readonly zone: string
  readonly language: Language
  readonly words: ReportWords
}

const heading = (text: string, level: 2 | 3 = 3): Block => ({ type: 'heading', text, level })
const facts = (all: readonly Fact[]): Block => ({ type: 'facts', facts: all })
const list = (texts: readonly string[]): Block => ({ type: 'list', texts })
const optional = <T>(present: boolean, ...made: readonly T[]): readonly T[] => (present ? made : [])
const titled = (title: string, all: readonly unknown[], block: Block): readonly Block[] =>
  optional(all.length > 0, heading(title), block)

export function outline(report: Report): Outline {
  const words = wordsOf(report.language)
  const { connection, language } = report
  return {
    language,
    title: filled(words.title, { connection: connection.name }),
    subtitle: filled(words.madeBy, {
      at: moment(report.createdAt * 1_000, connection.zone, language),
      version: report.version,
    }),
    blocks: [
      { type: 'text', text: words.intro },
      ...report.sections.flatMap((section) => sectionOf(section, { zone: connection.zone, language, words })),
      heading(words.headings.scope, 2),
      facts(scopeOf(report, connection, words)),
      heading(words.headings.limits, 2),
      list(limitsOf(words)),
    ],
  }
}

function scopeOf(
  { recovery, masked }: Report,
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
  ]
}

function sectionOf({ summary, documents, unlisted = 0 }: ReportSection, speech: Speech): readonly Block[] {
  const { words, language, zone } = speech
  const { sweep, counts, notReached, atStake, sharedDifferences, days } = summary
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
    { type: 'figures', figures: figuresOf(summary, speech) },
    ...optional<Block>(days.length > 0, { type: 'days', title: headings.days, days }),
    facts(factsOf(summary, speech)),
    heading(headings.method),
    list(method(words, summary)),
    heading(headings.result),
    {
      ...table([columns.class, `#${columns.documents}`, columns.meaning], classes),
      tones: CLASSES.map((name) => (counts[name] > 0 ? toneOf(name) : 'plain')),
    },
    ...titled(
      headings.money,
      atStake,
      facts(
        atStake.map(({ currency, amount, documents: n }) => [
          signOf(currency, language),
          filledCounted(words.stake, n, { amount: amountText(amount, language) }),
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
    documents.length === 0 ? { type: 'text', text: words.noDocuments } : documentTable(documents, speech),
  ]
}

/** A name with a leading # marks a column of numbers. */
const table = (names: readonly string[], rows: readonly (readonly (string | number)[])[]): Table => ({
  type: 'table',
  columns: names.map((name) => ({ title: name.replace(/^#/, ''), number: name.startsWith('#') })),
  rows: rows.map((cells) => cells.map((cell) => [[String(cell)]])),
})

function documentTable(documents: readonly ReportDocument[], { zone, words, language }: Speech): Table {
  const { columns } = words
  return {
    type: 'table',
    columns: [
      { title: columns.document, parts: [columns.number, columns.documentId] },
      ...[columns.class, columns.issued, columns.party].map((title) => ({ title })),
      { title: columns.total, number: true },
      { title: columns.missedAndKnown, parts: [columns.missed, columns.known] },
    ],
    tones: documents.map(({ row }) => toneOf(row.class)),
    rows: documents.map(({ row, differences, evidence }) => [
      [[row.number ?? ''], [row.documentId ?? '']],
      [[words.classes[row.class]]],
      [[row.issuedAt === null ? '' : moment(row.issuedAt, zone, language)]],
      [[row.party ?? '']],
      [[row.total === null ? '' : money(row.total, row.currency, language)]],
      [
        row.missed.map((missed) => missedText(words, missed)),
        [
          ...differences.map((one) => differenceText(words, one)),
          ...remarks(words, row, (at) => moment(at, zone, language)),
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
  // Other problems keep the English sentence of the service or sweep, which says more.
  const problems: Readonly<Record<string, string>> = words.problems
  return [
    filled(words.incomplete, { state: words.states[sweep.state] }),
    ...(first && last
      ? [
          filledCounted(words.unreached, notReached, {
            from: issued(first.from, zone),
            to: issued(last.to, zone),
          }),
        ]
      : []),
    ...sweep.problems.slice(0, PROBLEMS_SAID).map(({ code, message }) => problems[code] ?? message),
  ].join(' ')
}

function factsOf(summary: ReconciliationSummary, { zone, words, language }: Speech): readonly Fact[] {
  const { sweep, comparedAt, counts, firstMissing, lastMissing, notRecovered } = summary
  const { id, documents, pages, requests, retries, range } = sweep
  const { facts: names } = words
  const { pageSize, documentTypeId } = range
  const between = (from: string, to: string) => filled(words.range, { from, to })
  const ended = (end: string | null) => {
    const at = Date.parse(end ?? '')
    return Number.isNaN(at) ? end : moment(at * 1_000, zone, language)
  }
  return [
    [names.dates, between(ended(range.from) ?? words.beginning, ended(range.to) ?? words.end)],
    ...optional<Fact>(documentTypeId !== null, [names.documentType, String(documentTypeId)]),
    [names.sweep, filled(words.sweep, { id, documents, pages, pageSize, requests, retries })],
    [names.compared, moment(comparedAt * 1_000, zone, language)],
    ...(firstMissing === null || lastMissing === null
      ? []
      : [
          [
            names.missingIssued,
            between(moment(firstMissing, zone, language), moment(lastMissing, zone, language)),
          ] as const,
        ]),
    ...optional<Fact>(counts.recovered > 0 || notRecovered > 0, [
      names.recovered,
      filledCounted(words.leftToRecover, notRecovered),
    ]),
  ]
}

function figuresOf(
  { counts, atStake }: ReconciliationSummary,
  { words, language }: Speech,
): readonly Figure[] {
  const all = CLASSES.reduce((sum, name) => sum + counts[name], 0)
  const number = (value: number) => grouped(String(value), language)
  return [
    { value: number(all), label: words.columns.documents, tone: 'plain' },
    ...(['matched', 'recovered', 'missing', 'differs'] as const).map((name) => ({
      value: number(counts[name]),
      label: words.classes[name],
      tone: counts[name] > 0 ? toneOf(name) : ('plain' as const),
    })),
    ...atStake.map(({ currency, amount }) => ({
      value: money(amount, currency, language),
      label: words.headings.money,
      tone: 'bad' as const,
    })),
  ]
}

export const toneOf = (name: DocumentRow['class']): Tone =>
  name === 'matched' || name === 'recovered'
    ? 'good'
    : name === 'missing'
      ? 'bad'
      : name === 'differs'
        ? 'odd'
        : 'plain'

function moment(micros: number, zone: string, language: Language): string {
  const form = new Intl.DateTimeFormat(LOCALES[language], {
    timeZone: zone,
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: 'h23',
  } as const)
  const at = micros / 1_000
  return Math.abs(at) > MOST_MS ? issued(micros, zone) : form.format(at)
}
/** Beyond the range of JavaScript dates. */
const MOST_MS = 8_640_000_000_000_000

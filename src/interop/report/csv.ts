import type { DocumentRow } from '#contract/reconcile.ts'
import type { Report, ReportDocument } from './model.ts'
import { shown } from './shown.ts'
import { differenceText, evidenceText, instant, joinedBy, kindWord, remarks, wordsOf } from './words.ts'
import type { ReportWords } from './words-en.ts'

type Column = keyof ReportWords['csv']
/** Of a document, in words. */
type Cell = (document: ReportDocument, words: ReportWords) => string

const COLUMNS: readonly (readonly [name: Column, of: Cell])[] = [
  ['document_id', ({ row }) => row.documentId ?? ''],
  ['number', ({ row }) => row.number ?? ''],
  ['class', ({ row }, words) => words.classes[row.class]],
  ['issued_at', ({ row }) => (row.issuedAt === null ? '' : instant(row.issuedAt))],
  ['party', ({ row }) => row.party ?? ''],
  ['total', ({ row }) => row.total ?? ''],
  ['currency', ({ row }) => row.currency ?? ''],
  ['missed_kinds', ({ row }, words) => row.missed.map(({ kind }) => kindWord(words, kind)).join('; ')],
  ['rules', ({ row }) => row.rules.join('; ')],
  [
    'certainty',
    ({ row }, words) => row.missed.map(({ certainty }) => words.certainties[certainty]).join('; '),
  ],
  ['cannot_tell', ({ row }) => row.cannotTell.join('; ')],
  ['captured_status', ({ row }) => status(row.capturedStatus)],
  ['service_status', ({ row }) => status(row.serviceStatus)],
  ['captured_events', ({ row }) => row.events.join('; ')],
  [
    'differences',
    ({ differences }, words) => differences.map((one) => differenceText(words, one)).join('; '),
  ],
  ['remarks', ({ row }, words) => remarks(words, row).join('; ')],
  ['evidence', ({ evidence }, words) => evidence.map((one) => evidenceText(words, one)).join('; ')],
  ['recovered_at', ({ row }) => (row.recovered === null ? '' : instant(row.recovered.at))],
  ['recovered_answer', ({ row }) => status(row.recovered?.status ?? null)],
]

/**
 * RFC 4180, one line per document other than matched, behind a byte order mark, without which spreadsheets take UTF-8 for something else.
 * Three columns in front say which sweep a line is of, and by what its items and events were joined.
 */
export function reportCsv(report: Report): string {
  const words = wordsOf(report.language)
  const lines = report.sections.flatMap(({ summary, documents }) =>
    documents.map((document) => [
      summary.sweep.range.route,
      summary.sweep.state === 'complete' ? words.yes : words.no,
      words.joins[joinedBy(summary)],
      ...COLUMNS.map(([, of]) => of(document, words)),
    ]),
  )
  const head = [
    words.csv.route,
    words.csv.complete,
    words.csv.joined_by,
    ...COLUMNS.map(([name]) => words.csv[name]),
  ]
  return `\u{feff}${[head, ...lines].map((cells) => cells.map(cell).join(',')).join('\r\n')}\r\n`
}

const status = (value: DocumentRow['serviceStatus']): string => (value === null ? '' : String(value))

/** Digits with at most one sign and one point: amounts must stay numbers, and as such they can do nothing. */
const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/
/** Spreadsheets take what begins so for a formula, in their full-width forms as well, and look past quotes and blanks before it. */
const FORMULA = /^[\s'"\u{200b}\u{feff}]*[=+\-@|%\u{ff1d}\u{ff0b}\u{ff0d}\u{ff20}]/u

/** Where lists are separated by semicolons, a spreadsheet begins a cell behind each of them, quotes or not. */
const INNER_FORMULA = /;(?=[\s'"]*[=+\-@|%\u{ff1d}\u{ff0b}\u{ff0d}\u{ff20}])/gu

function cell(text: string): string {
  const line = shown(text).replace(INNER_FORMULA, ',')
  const safe = FORMULA.test(line) && !PLAIN_NUMBER.test(line) ? `'${line}` : line
  return /[",;'\t]/.test(safe) || safe.trim() !== safe ? `"${safe.replaceAll('"', '""')}"` : safe
}

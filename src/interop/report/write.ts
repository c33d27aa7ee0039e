import { filled } from '#catalog/text.ts'
import type { DocumentRow } from '#contract/reconcile.ts'
import { cell, escaped } from '../text.ts'
import { reportHtml } from './html.ts'
import type { Report, ReportDocument } from './model.ts'
import type { Block } from './outline.ts'
import { outline } from './outline.ts'
import {
  differenceText,
  evidenceText,
  instant,
  joinedBy,
  kindWord,
  limitsOf,
  method,
  type ReportWords,
  reasonText,
  remarks,
  wordsOf,
} from './words.ts'

/** GitHub's Markdown, which others read as well. Texts of documents cannot become markup, links or cells. */
function reportMarkdown(report: Report): string {
  const { title, subtitle, blocks } = outline(report)
  const parts = blocks.flatMap((block) => markdownOf(block) ?? [])
  return [`# ${escaped(title)}`, escaped(subtitle), ...parts, ''].join('\n\n')
}

function markdownOf(block: Block): string | undefined {
  switch (block.type) {
    case 'figures':
    case 'days':
      return undefined
    case 'heading':
      return `${'#'.repeat(block.level)} ${escaped(block.text)}`
    case 'text':
      return escaped(block.text)
    case 'warning':
      return `**${escaped(block.text)}**`
    case 'facts':
      return block.facts.map(([name, value]) => `* ${escaped(name)}: ${escaped(value)}`).join('\n')
    case 'list':
      return block.texts.map((text) => `* ${escaped(text)}`).join('\n')
    case 'table': {
      const line = (cells: readonly string[]) => `| ${cells.map(escaped).join(' | ')} |`
      const names = block.columns.flatMap(({ title, parts = [title] }) => parts)
      const rows = block.rows.map((cells) => line(cells.flat().map((lines) => lines.join('; '))))
      return [line(names), `|${' --- |'.repeat(names.length)}`, ...rows].join('\n')
    }
  }
}

/**
 * Masks parties. Keeps ids, numbers, dates and amounts, because users need them to look up a missed document. Keeps notes too, and the
 * report says so.
 */
export function masked(report: Report): Report {
  if (!report.masked) return report
  return {
    ...report,
    sections: report.sections.map((section) => ({
      ...section,
      documents: section.documents.map((document) => ({
        ...document,
        row: maskedRow(document.row, wordsOf(report.language)),
      })),
    })),
  }
}

const maskedRow = (row: DocumentRow, words: ReportWords): DocumentRow =>
  row.party === null ? row : { ...row, party: covered(row.party, words) }

/** First letter and length: enough to distinguish two parties without naming them. */
function covered(text: string, words: ReportWords): string {
  const characters = [...text]
  const [first] = characters
  return first === undefined ? '' : filled(words.covered, { first, length: characters.length })
}

/** Times are ISO 8601 in UTC; only sentences are in the report's language. */
export function reportJson(report: Report): string {
  const { connection, language } = report
  const { name, baseUrl, endpoints, kinds, zone, ignoredFields, notYetDue, documentTypes } = connection
  const words = wordsOf(language)
  return `${JSON.stringify(
    {
      format: 'acuse-reconciliation',
      version: 1,
      createdAt: new Date(report.createdAt).toISOString(),
      acuse: report.version,
      masked: report.masked,
      language,
      connection: { name, baseUrl, endpoints, kinds, zone, ignoredFields, notYetDue, documentTypes },
      recovery: report.recovery,
      reconciliations: report.sections.map(({ summary, documents, unlisted = 0 }) => ({
        ...summary,
        unlisted,
        joinedBy: joinedBy(summary),
        method: method(words, summary),
        comparedAt: new Date(summary.comparedAt).toISOString(),
        firstMissing: isoOf(summary.firstMissing),
        lastMissing: isoOf(summary.lastMissing),
        documents: documents.map(({ row, differences, evidence }) => ({
          ...row,
          reason: reasonText(words, row),
          issuedAt: isoOf(row.issuedAt),
          recovered:
            row.recovered === null ? null : { at: isoOf(row.recovered.at), status: row.recovered.status },
          differences,
          evidence: evidence.map((one) => ({ type: one.type, text: evidenceText(words, one) })),
        })),
      })),
      limits: limitsOf(words),
    },
    null,
    2,
  )}\n`
}

/** @param micros microseconds since the epoch */
const isoOf = (micros: number | null): string | null =>
  micros === null ? null : new Date(micros / 1_000).toISOString()

type Column = keyof ReportWords['csv']
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
 * CSV by RFC 4180, with a byte order mark, without which spreadsheets misread UTF-8. Three columns in front name the sweep's route, its
 * completeness, and how items were joined with events.
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

const WRITERS = { html: reportHtml, csv: reportCsv, json: reportJson, md: reportMarkdown } as const
export type ReportFormat = keyof typeof WRITERS
export const REPORT_FORMATS = Object.keys(WRITERS) as readonly ReportFormat[]

export function reportFormat(file: string): ReportFormat | undefined {
  const extension = file.slice(file.lastIndexOf('.') + 1).toLowerCase()
  return REPORT_FORMATS.find((one) => one === (extension === 'htm' ? 'html' : extension))
}

export const writeReport = (report: Report, format: ReportFormat): string => WRITERS[format](masked(report))

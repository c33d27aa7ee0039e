import { reportCsv } from './csv.ts'
import { reportHtml } from './html.ts'
import { reportJson } from './json.ts'
import { reportMarkdown } from './markdown.ts'
import { masked } from './mask.ts'
import type { Report } from './model.ts'

const WRITERS = { html: reportHtml, csv: reportCsv, json: reportJson, md: reportMarkdown } as const
export type ReportFormat = keyof typeof WRITERS
export const REPORT_FORMATS = Object.keys(WRITERS) as readonly ReportFormat[]

/** The form that a file's name asks for; undefined for any other name. */
export function reportFormat(file: string): ReportFormat | undefined {
  const extension = file.slice(file.lastIndexOf('.') + 1).toLowerCase()
  return REPORT_FORMATS.find((one) => one === (extension === 'htm' ? 'html' : extension))
}

/** The whole report as text; personal data is covered first where the report says so. */
export const writeReport = (report: Report, format: ReportFormat): string => WRITERS[format](masked(report))

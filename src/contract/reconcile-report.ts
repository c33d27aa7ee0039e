/** HTML is one page without script, made to be printed; CSV is for spreadsheets; JSON for programs; Markdown for tickets and wikis. */
export const REPORT_FORMATS = ['html', 'csv', 'json', 'markdown'] as const
export type ReportFormat = (typeof REPORT_FORMATS)[number]
export const REPORT_LANGUAGES = ['en', 'es'] as const

/** Documents that a report lists one by one at most; the counts are of all. What is left out is the latest, and the report says so. */
export const MOST_LISTED = 20_000

export interface ReportParams {
  readonly sweep: number
  readonly format: ReportFormat
  readonly language: (typeof REPORT_LANGUAGES)[number]
  /** Shows the names of customers and suppliers, which are covered when this is left out. */
  readonly unmask?: boolean
}

/** A report, whole. */
export interface ReportFile {
  readonly text: string
  /** What the file is to be called; safe in every file system. */
  readonly name: string
  readonly mediaType: string
  /** Documents that it lists one by one. */
  readonly listed: number
  /** Documents beyond MOST_LISTED, which it counts and does not list. */
  readonly unlisted: number
}

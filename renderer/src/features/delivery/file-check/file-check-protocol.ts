import type { Analysis } from '#core/checks/analysis.ts'

/** A file is handed over without its bytes; the worker reads them. */
export interface FileCheckRequest {
  readonly file: File
}
/** Which of the analysis is shown. */
export type FileAnalysis = Pick<
  Analysis,
  'event' | 'kind' | 'number' | 'documentId' | 'verdict' | 'findings' | 'findingCount'
>
export type FileCheckReply = { readonly result: FileAnalysis } | { readonly error: string }

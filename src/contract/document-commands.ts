import { z } from 'zod'
import {
  DOCUMENT_GAPS,
  DOCUMENT_SORTS,
  type DocumentEntry,
  type DocumentGap,
  type DocumentLife,
  type DocumentSort,
} from './documents.ts'

export interface DocumentsParams {
  /** A filter over documents: kind, group, verdict, doc, number, party, status, is, words (core/documents/document-filter.ts). */
  readonly query: string
  /** Only documents with one of these; absent: all. */
  readonly gaps?: readonly DocumentGap[]
  readonly sort: { readonly by: DocumentSort; readonly descending: boolean }
  /** Position of the first one wanted in that order. */
  readonly from: number
  readonly limit: number
}

export interface DocumentsPage {
  readonly entries: readonly DocumentEntry[]
  readonly from: number
  readonly total: number
}

export interface DocumentCommands {
  'documents.page': { params: DocumentsParams; result: DocumentsPage }
  /** `not-found` when no delivery of it is stored any more. */
  'documents.get': { params: { readonly key: string }; result: DocumentLife }
}
export type DocumentCommandName = keyof DocumentCommands

export const DOCUMENT_PARAMS: { readonly [C in DocumentCommandName]: z.ZodType<unknown> } = {
  'documents.page': z.strictObject({
    query: z.string().max(10_000),
    gaps: z.array(z.enum(DOCUMENT_GAPS)).min(1).max(DOCUMENT_GAPS.length).optional(),
    sort: z.strictObject({ by: z.enum(DOCUMENT_SORTS), descending: z.boolean() }),
    from: z.int().nonnegative(),
    limit: z.int().min(1).max(1_000),
  }),
  'documents.get': z.strictObject({ key: z.string().min(1).max(300) }),
}

import { z } from 'zod'
import { deliveryRow, documentFacts, verdict } from './delivery.ts'
import { count, defineQuery, kind, limit, micros, type Of } from './params.ts'
import { DOCUMENT_FACTS, DOCUMENT_GAPS, DOCUMENT_SORTS } from './values.ts'

const gap = z.enum(DOCUMENT_GAPS)
export type DocumentGap = Of<typeof gap>
export type DocumentSort = (typeof DOCUMENT_SORTS)[number]

/** One invoice, note or expense, assembled from its captured events. */
const documentEntry = z.strictObject({
  /** DocumentId with A-Z in lower case. */
  key: z.string(),
  documentId: z.string(),
  family: z.enum(['invoice', 'credit-note', 'debit-note', 'expense']),
  ...documentFacts,
  /** From the latest event that has one. */
  statusId: z.number().nullable(),
  lastKind: kind,
  /** Received events; `recovered` counts rebuilt ones. */
  events: count,
  recovered: count,
  /** Timestamp of the first and last event, microseconds since the epoch. */
  firstAt: micros,
  lastAt: micros,
  gaps: z.array(gap),
  verdict,
})
export type DocumentEntry = Of<typeof documentEntry>

const stepFacts = z.strictObject({
  issuedAt: micros.nullable(),
  documentType: z.number().nullable(),
  ...documentFacts,
  modifies: z.string().nullable(),
})
export type DocumentStepFacts = Of<typeof stepFacts>
const documentFact = z.enum(DOCUMENT_FACTS)
export type DocumentFact = Of<typeof documentFact>

const documentStep = z.strictObject({
  row: deliveryRow,
  /** Microseconds since the epoch: the Timestamp, or the arrival when the Timestamp cannot be read. */
  instant: micros,
  /** Null for a delivery that was rejected or could not be read. */
  facts: stepFacts.nullable(),
  /** Facts that differ from the latest earlier event that has them. */
  changed: z.array(z.strictObject({ fact: documentFact, before: z.string().nullable(), after: z.string() })),
  gap: gap.exclude(['no-created']).nullable(),
})
export type DocumentStep = Of<typeof documentStep>

const documentLife = z.strictObject({
  entry: documentEntry,
  /** By instant, including rejected and rebuilt deliveries. */
  steps: z.array(documentStep),
  /** Number of steps left out beyond STEPS_KEPT. */
  more: count,
})
export type DocumentLife = Of<typeof documentLife>

const documentsParams = z.strictObject({
  /** A filter over documents: kind, group, verdict, doc, number, party, status, is, words (core/documents/document-filter.ts). */
  query: z.string().max(10_000),
  /** Only documents with one of these gaps; absent: all. */
  gaps: z.array(gap).min(1).max(DOCUMENT_GAPS.length).exactOptional(),
  sort: z.strictObject({ by: z.enum(DOCUMENT_SORTS), descending: z.boolean() }),
  /** Position of the first document wanted in that order. */
  from: count,
  limit,
})
export type DocumentsParams = Of<typeof documentsParams>
const documentsPage = z.strictObject({ entries: z.array(documentEntry), from: count, total: count })
export type DocumentsPage = Of<typeof documentsPage>

export const documentCommands = {
  'documents.page': defineQuery(
    'A page of documents, put together from their events.',
    documentsParams,
    documentsPage,
  ),
  'documents.get': defineQuery(
    'The life of one document; null when no delivery of it is stored.',
    z.strictObject({ key: z.string().min(1).max(300) }),
    // Null instead of an error: the window also asks for documents that only a sync route returned, and each 404 would log to its console.
    documentLife.nullable(),
  ),
}

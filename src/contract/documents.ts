import type { Kind } from '#catalog/kinds.ts'
import type { DocumentFamily } from '#catalog/service.ts'
import type { DeliveryRow, Verdict } from './delivery.ts'

/**
 * What the captured life of a document lacks, or tells in another order than it can have happened. `no-created`: none of its events made
 * it; the others are by `Timestamp`: an answer of the tax authority, or a change, before it was made, something after it was voided.
 */
export const DOCUMENT_GAPS = [
  'no-created',
  'status-before-created',
  'updated-before-created',
  'voided-without-created',
  'after-void',
] as const
export type DocumentGap = (typeof DOCUMENT_GAPS)[number]

/** One invoice, note or expense, put together from its captured events. */
export interface DocumentEntry {
  /** DocumentId with A-Z in lower case. */
  readonly key: string
  /** As sent. */
  readonly documentId: string
  readonly family: DocumentFamily
  readonly number: string | null
  /** Customer or supplier. */
  readonly party: string | null
  /** Digits as sent. */
  readonly total: string | null
  readonly currency: string | null
  /** Told last. */
  readonly statusId: number | null
  readonly lastKind: Kind
  /** Received; rebuilt ones are counted apart. */
  readonly events: number
  readonly recovered: number
  /** By Timestamp, microseconds since the epoch. */
  readonly firstAt: number
  readonly lastAt: number
  readonly gaps: readonly DocumentGap[]
  /** The worst of its events. */
  readonly verdict: Verdict
}

export const DOCUMENT_SORTS = [
  'last',
  'first',
  'kind',
  'number',
  'party',
  'total',
  'status',
  'events',
  'gaps',
] as const
export type DocumentSort = (typeof DOCUMENT_SORTS)[number]

/** What an event says about its document. */
export interface DocumentStepFacts {
  /** Microseconds since the epoch. */
  readonly issuedAt: number | null
  readonly documentType: number | null
  readonly number: string | null
  readonly party: string | null
  readonly total: string | null
  readonly currency: string | null
  /** Document that this note modifies. */
  readonly modifies: string | null
}
export type DocumentFact = keyof DocumentStepFacts | 'statusId'

/** One delivery in the life of a document. */
export interface DocumentStep {
  readonly row: DeliveryRow
  /** Microseconds since the epoch: by Timestamp, or by arrival where that cannot be read. */
  readonly instant: number
  /** Null for what tells nothing of it: rejected ones and those that could not be read. */
  readonly facts: DocumentStepFacts | null
  /** Facts that differ from the latest that an earlier event told. */
  readonly changed: readonly {
    readonly fact: DocumentFact
    readonly before: string | null
    readonly after: string
  }[]
  /** What is odd about its place. */
  readonly gap: Exclude<DocumentGap, 'no-created'> | null
}

export interface DocumentLife {
  readonly entry: DocumentEntry
  /** In the order of their instants; rejected and rebuilt ones among them. */
  readonly steps: readonly DocumentStep[]
  /** Steps beyond STEPS_KEPT that are not told. */
  readonly more: number
}
export const STEPS_KEPT = 500

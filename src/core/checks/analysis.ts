import type { Group, Kind } from '#catalog/kinds.ts'
import type { Finding, Verdict } from '#contract/delivery.ts'
import type { JsonTree } from '../json/tree.ts'
import type { DocumentFacts } from './facts.ts'

/** Raise it when a check's code changes, so that stored deliveries are analysed again. Changes of catalogue and codes are detected. */
export const ANALYSIS_VERSION = 9

/** A delivery to judge, with its decoded body or the reason why the body is not read. */
export interface Judged {
  readonly method: string
  readonly contentType: string | null
  readonly body:
    | { readonly bytes: Uint8Array }
    | { readonly undecodable: { readonly coding: string; readonly reason: string } }
    | {
        readonly unread: 'body-too-large' | 'decoded-too-large' | 'body-too-expensive'
        readonly params: Readonly<Record<string, string | number>>
      }
}

export type See = (kind: Kind, tree: JsonTree) => void

export interface Analysis {
  /** As sent, at most 200 characters. */
  readonly event: string | null
  readonly kind: Kind | null
  readonly group: Group | null
  readonly documentId: string | null
  readonly number: string | null
  readonly statusId: number | null
  /** Names and tax ids of the parties, one per line. */
  readonly party: string | null
  readonly timestamp: {
    readonly text: string /** microseconds since the epoch */
    readonly instant: number
  } | null
  /** Only for an invoice, note or expense with a document id. */
  readonly facts: DocumentFacts | null
  readonly verdict: Verdict
  /** The first FINDINGS_KEPT, worst first, then by position. */
  readonly findings: readonly Finding[]
  readonly findingCount: number
  /** Text for the search index, at most 16 KiB. */
  readonly searchText: string
}

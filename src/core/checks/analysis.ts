import type { Group, Kind } from '#catalog/kinds.ts'
import type { Finding, Verdict } from '#contract/delivery.ts'
import type { JsonTree } from '../json/tree.ts'
import type { DocumentFacts } from './facts.ts'

/** Raise it when a check's code changes: what another version judged is analysed again. Catalogue and codes count by themselves. */
export const ANALYSIS_VERSION = 9

/** Its body already decoded, or the reason why it is not read. */
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
  /** Names and tax ids, one per line. */
  readonly party: string | null
  readonly timestamp: {
    readonly text: string /** microseconds since the epoch */
    readonly instant: number
  } | null
  /** Of an invoice, note or expense with a document id. */
  readonly facts: DocumentFacts | null
  readonly verdict: Verdict
  /** The first FINDINGS_KEPT, worst first, then by place. */
  readonly findings: readonly Finding[]
  readonly findingCount: number
  /** For the text index; bounded to 16 KiB. */
  readonly searchText: string
}

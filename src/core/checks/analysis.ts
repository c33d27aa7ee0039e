import type { Group, Kind } from '#catalog/kinds.ts'
import type { Finding, Verdict } from '#contract/delivery.ts'
import type { JsonTree } from '../json/tree.ts'
import type { DocumentFacts } from './facts.ts'

/**
 * Raise it when the code of a check changes: deliveries that were analysed under another version are analysed again. Changes to the
 * catalogue and the codes count by themselves (DERIVED_VERSION in src/storage/schema/derived.ts).
 */
export const ANALYSIS_VERSION = 9

/** A delivery as the checks see it: its body already decoded, or the reason why it cannot be or is not read. */
export interface Judged {
  readonly method: string
  /** Value of Content-Type, when there is one. */
  readonly contentType: string | null
  readonly body:
    | { readonly bytes: Uint8Array }
    | { readonly undecodable: { readonly coding: string; readonly reason: string } }
    | {
        readonly unread: 'body-too-large' | 'decoded-too-large' | 'body-too-expensive'
        readonly params: Readonly<Record<string, string | number>>
      }
}

/** Looks at a body that has been judged; what it finds is no part of the analysis. */
export type See = (kind: Kind, tree: JsonTree) => void

/** What is derived from one delivery alone; a pure function of it and the catalogue. */
export interface Analysis {
  /** `Event` as sent, at most 200 characters; null when there is none. */
  readonly event: string | null
  readonly kind: Kind | null
  readonly group: Group | null
  readonly documentId: string | null
  readonly number: string | null
  readonly statusId: number | null
  /** Names and tax ids of customer and supplier, one per line; null when there are none. */
  readonly party: string | null
  readonly timestamp: {
    readonly text: string /** microseconds since the epoch */
    readonly instant: number
  } | null
  /** Of an invoice, note or expense with a document id; null for every other event. */
  readonly facts: DocumentFacts | null
  readonly verdict: Verdict
  /** The first FINDINGS_KEPT, worst first, then by place. */
  readonly findings: readonly Finding[]
  /** All of them. */
  readonly findingCount: number
  /** Chosen values for the text index: ids, numbers, names, tax ids, codes, descriptions. Bounded to 16 KiB. */
  readonly searchText: string
}

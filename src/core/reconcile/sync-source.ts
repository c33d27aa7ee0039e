import type { SweepProblem, SyncRoute } from '#contract/reconcile.ts'
import type { JsonTree } from '../json/tree.ts'

/** One request to a sync route; null members are not sent. */
export interface SyncQuery {
  readonly route: SyncRoute
  readonly from: string | null
  /** Second part of the treasury cursor. */
  readonly afterDocumentId: string | null
  readonly to: string | null
  readonly documentTypeId: number | null
  readonly pageSize: number
}

/** A page as it came. */
export interface SyncPage {
  readonly tree: JsonTree
  /** Node of each item, in order. */
  readonly items: readonly number[]
  readonly hasMore: boolean
  /** Treasury's cursor for the next page, as received; null where it is absent or null. */
  readonly nextFrom: string | null
  readonly nextAfterDocumentId: string | null
}

/** Why there is no page. */
export interface SyncFailure {
  readonly problem: SweepProblem
  /** Whether asking again may help. */
  readonly passing: boolean
  /** What the service asked to wait, milliseconds; null when it said nothing. */
  readonly retryAfterMs: number | null
  /** Null: no answer. */
  readonly status: number | null
  /** Beginning of the answer's body as text, without the credential; null where there was no answer. */
  readonly body: string | null
}

export type SyncAnswer =
  | { readonly page: SyncPage; readonly status: number }
  | { readonly failure: SyncFailure }
  | { readonly cancelled: true }

/** A sync route of one connection. Asks once for each call and never throws: what goes wrong is an answer. */
export interface SyncSource {
  page(query: SyncQuery, signal: AbortSignal): Promise<SyncAnswer>
}

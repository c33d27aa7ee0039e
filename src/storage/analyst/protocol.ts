import type { Kind } from '#catalog/kinds.ts'
import type { JudgedBatch } from './analyst.ts'

/** What the analyst thread can be asked for. */
export interface AnalystCalls {
  /** @returns up to which id all are analysed */
  open(
    paths: { readonly captured: string; readonly derived: string; readonly rebuild: boolean },
    maskedNames: readonly string[],
  ): number
  /** @param deletion which of all deletions ever this was */
  forget(ids: readonly number[], deletion: number): void
  revisit(from: number): void
  /** @returns the deliveries that had shown something first */
  relearn(kinds: readonly Kind[]): readonly number[]
  /** @param restoration which of all restorations ever this was */
  restore(ids: readonly number[], restoration: number): void
  /** Lets go of the databases, so that they can be set aside. */
  release(): void
}

/** No call, since it comes often and needs no reply. */
export interface WakeMessage {
  /** Deliveries up to this id exist. The analyst takes none beyond it, so each is indexed with names no older than itself. */
  readonly wake: number
  /** As `maskedNamesOf` gives them now. */
  readonly maskedNames: readonly string[]
}

export type AnalystMessage =
  | ({ readonly event: 'judged' } & JudgedBatch)
  /** Deliveries that came back from the trash were analysed again; so many still wait. */
  | { readonly event: 'rejudged'; readonly ids: readonly number[]; readonly pending: number }
  /** Nothing waits up to this id, which may itself have been deleted meanwhile. */
  | { readonly event: 'caught-up'; readonly upto: number }
  /** The captured database turned out damaged while reading. */
  | { readonly event: 'damaged'; readonly reason: string }
  /** The derived database failed in a way that only making it again mends. */
  | { readonly event: 'derived-lost'; readonly reason: string }

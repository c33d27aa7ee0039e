import type { AnnotateParams } from '#contract/annotations.ts'
import type { TrashOutcome } from '#contract/delivery.ts'
import type { CoverageState, StoreState, UnreadJournal } from '#contract/status.ts'
import type { SetAside } from '../sql/open-own.ts'
import type { Batch } from '../wire/batch.ts'
import type { Correction } from './corrections.ts'
import type { Quotas, RingCounts } from './rings.ts'

/** What became of a batch: one outcome for all of it where that is so, else one per delivery. */
export type Outcome =
  | { readonly type: 'stored'; readonly firstId: number }
  | { readonly type: 'mixed'; readonly ids: readonly (number | null)[]; readonly problems: readonly string[] }
  | { readonly type: 'spilled' }
  | { readonly type: 'refused'; readonly reason: string }

export interface WriterStatus {
  readonly state: StoreState
  readonly reason: string | null
  /** What is wrong with the database itself, which waits for `rescue` and `replace`; null when nothing is. */
  readonly lost: 'damaged' | 'moved' | null
  readonly stored: number
  readonly rings: RingCounts
  /** Deleted because the store passed its budget, ever. */
  readonly budgetDeleted: number
  readonly spilled: number
  readonly unreadJournals: readonly UnreadJournal[]
  readonly highestId: number
  readonly trashed: { readonly deliveries: number; readonly bytes: number }
  /** Bytes inside the database that deletions left free: they are used first, so they are not counted as taken. */
  readonly reusableBytes: number
}

/** Before the writer has said anything. */
export const NOTHING_YET: WriterStatus = {
  state: 'ok',
  reason: null,
  lost: null,
  stored: 0,
  rings: {
    rejected: { deliveries: 0, bytes: 0, evicted: 0 },
    malformed: { deliveries: 0, bytes: 0, evicted: 0 },
  },
  budgetDeleted: 0,
  spilled: 0,
  unreadJournals: [],
  highestId: 0,
  trashed: { deliveries: 0, bytes: 0 },
  reusableBytes: 0,
}

/** What is to go into the trash. */
export interface TrashOrder {
  readonly ids: readonly number[]
  /** What selected them; null where single ones were meant. */
  readonly filter: string | null
  readonly sparePinned: boolean
  /** Milliseconds since the epoch. */
  readonly at: number
}
export type Trashed = TrashOutcome
export type Restored = { readonly deliveries: number }
/** A batch, or those whose day is over at an instant (milliseconds since the epoch); null: all of them. */
export type Emptying = { readonly batch: number } | { readonly due: number | null }
export type Emptied = { readonly deliveries: number; readonly bytes: number }

export interface WriterOptions {
  readonly folder: string
  readonly quotas: Quotas
  /** Milliseconds since the epoch. */
  readonly now: number
}

export interface PruneParams {
  readonly maxId: number
  /** Because the store passed its budget. */
  readonly forBudget?: boolean
  /** Microseconds since the epoch; null when the instant does not matter. */
  readonly before: number | null
}

export interface Pruned {
  readonly deliveries: number
  readonly bytes: number
  readonly oldest: number | null
  readonly newest: number | null
}

/** A delivery brought back from a database set aside. */
export interface SavedRow {
  readonly id: number
  readonly record: Uint8Array
  /** As stored; a record does not have it. */
  readonly answeredBy: string | null
  readonly said: Said
  /** Null: it stood in the list. */
  readonly trashed: TrashedIn | null
}

/** The deletion by which a delivery came to lie in the trash. */
export interface TrashedIn {
  /** Milliseconds since the epoch; null when it can no longer be read. */
  readonly at: number | null
  /** As in `TrashOrder`. */
  readonly filter: string | null
}

/** What people said of a delivery. */
export interface Said {
  readonly pinned: boolean
  readonly note: { readonly text: string; readonly at: number } | null
  readonly tags: readonly string[]
}

/** What the writer thread can be asked for. Deliveries come as `BatchMessage`, since they must not wait for a reply each. */
export interface WriterCalls {
  open(options: WriterOptions): { status: WriterStatus; setAside: SetAside | null }
  /** Copies a database whose files another program removed or replaced, from what is still open; nothing to do for any other. */
  rescue(): Promise<void>
  /** Sets the lost database aside and opens what takes its place. @returns null when its files are back where they were */
  replace(now: number, reason: string): Promise<SetAside | null>
  /** Gives the memory back. */
  chunk(upload: string, seq: number, bytes: Uint8Array): Uint8Array
  abandon(upload: string): void
  pin(ids: readonly number[], pinned: boolean): number
  /** @param at milliseconds since the epoch @returns those that changed */
  annotate(change: AnnotateParams, at: number): number[]
  prune(params: PruneParams): Promise<Pruned>
  trash(order: TrashOrder): Promise<Trashed>
  restore(batch: number): Promise<Restored>
  emptyTrash(which: Emptying): Promise<Emptied>
  setQuotas(quotas: Quotas): void
  cover(state: CoverageState, at: number): void
  /** Moves the end of the present stretch; with `asleep`, a hole is noted between two instants. */
  beat(at: number, asleepSince: number | null): void
  /** Deliveries with their old ids, as records; gives how many went in. @param now when the salvage began, milliseconds since the epoch */
  adopt(rows: readonly SavedRow[], now: number): number
  /** Replies when it is written, or given up. */
  correct(correction: Correction): Promise<void>
  close(): Promise<void>
}

export interface BatchMessage {
  readonly batch: Batch
  /** Ids and microseconds in turn: how long earlier answers took. */
  readonly took: readonly number[]
}

/** What the writer says of its own accord. */
export type WriterMessage =
  | {
      readonly event: 'committed'
      /** In the order of the batches. */
      readonly outcomes: readonly Outcome[]
      readonly status: WriterStatus
    }
  | { readonly event: 'status'; readonly status: WriterStatus }
  /** It found the database unfit when it opened it again, and a fresh one took its place. */
  | { readonly event: 'set-aside'; readonly setAside: SetAside }
  | {
      readonly event: 'deleted'
      readonly ids: readonly number[]
      /** Which of all deletions ever this was. */
      readonly deletion: number
      readonly reason: 'retention' | 'evicted' | 'trashed' | 'emptied'
    }
  /** Came back from the trash. */
  | {
      readonly event: 'restored'
      readonly ids: readonly number[]
      /** Which of all restorations ever this was. */
      readonly restoration: number
    }
  | { readonly event: 'arrived'; readonly firstId: number; readonly lastId: number }
  /** A long reading keeps the write-ahead log from starting over. */
  | { readonly event: 'pressure' }

import type { LogProblem, StoreState } from '#contract/status.ts'
import type { SetAside } from '../sql/open-own.ts'
import type { RingCounts } from './intake.ts'

export interface WriterStatus {
  readonly state: StoreState
  readonly reason: string | null
  /** What is wrong with the database itself, which waits for `rescue` and `replace`; null when nothing is. */
  readonly lost: 'damaged' | 'moved' | null
  readonly stored: number
  readonly rings: RingCounts
  /** Deleted because the store passed its budget, ever. */
  readonly budgetDeleted: number
  /** No delivery up to this id is still to be filed. */
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
  highestId: 0,
  trashed: { deliveries: 0, bytes: 0 },
  reusableBytes: 0,
}

export interface WriterPushes {
  status(status: WriterStatus): void
  /** @param received so many of them came from senders */
  arrived(firstId: number, lastId: number, received: number): void
  /** What the log holds up to a position is in the database for good. */
  kept(position: number): void
  logProblem(problem: LogProblem): void
  /** It found the database unfit when it opened it again, and a fresh one took its place. */
  setAside(aside: SetAside): void
  /** @param deletion which of all deletions ever this was */
  deleted(
    ids: readonly number[],
    deletion: number,
    reason: 'retention' | 'evicted' | 'trashed' | 'emptied',
  ): void
  /** Deliveries came back from the trash. @param restoration which of all restorations ever this was */
  restored(ids: readonly number[], restoration: number): void
  /** A long reading keeps the write-ahead log from starting over. */
  pressure(): void
}

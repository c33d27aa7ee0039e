import type { LogProblem, StoreState } from '#contract/status.ts'
import type { SetAside } from '../sql/open-own.ts'
import type { RingCounts } from './intake.ts'

export interface WriterStatus {
  readonly state: StoreState
  readonly reason: string | null
  /** Why the database is lost and waits for `rescue` and `replace`; null while it is not. */
  readonly lost: 'damaged' | 'moved' | null
  readonly stored: number
  readonly rings: RingCounts
  /** Deliveries ever deleted because the store exceeded its budget. */
  readonly budgetDeleted: number
  /** Id up to which every delivery is filed. */
  readonly highestId: number
  /** Id up to which the records of a shared log are filed. */
  readonly mirrored: number
  readonly trashed: { readonly deliveries: number; readonly bytes: number }
  /** Free bytes inside the database. New deliveries use them first, so they do not count as used. */
  readonly reusableBytes: number
}

/** Before the writer's first status. */
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
  mirrored: 0,
  trashed: { deliveries: 0, bytes: 0 },
  reusableBytes: 0,
}

export interface WriterPushes {
  status(status: WriterStatus): void
  /** @param received how many came from senders */
  arrived(firstId: number, lastId: number, received: number): void
  /** A shared log changed notes, tags or pins of these deliveries. */
  annotated(ids: readonly number[]): void
  /** The log up to a position is durably in the database. */
  kept(position: number): void
  /** Records of a shared log before those that were to be filed are missing: read it again after `WriterStatus.mirrored`. */
  missed(): void
  logProblem(problem: LogProblem): void
  /** The writer reopened the database, found it unusable, and replaced it by a fresh one. */
  setAside(aside: SetAside): void
  /** @param deletion number of deletions so far, with this one */
  deleted(
    ids: readonly number[],
    deletion: number,
    reason: 'retention' | 'evicted' | 'trashed' | 'emptied',
  ): void
  /** Deliveries were restored from the trash. @param restoration number of restorations so far, with this one */
  restored(ids: readonly number[], restoration: number): void
  /** A long read prevents the reset of the write-ahead log. */
  pressure(): void
}

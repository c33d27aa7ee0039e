import type { HostStatus } from '#contract/status.ts'
import type { StoreNotice } from '#core/ports.ts'
import type { Remote } from '#threads/thread.ts'
import type { ReaderHandlers } from '../reader/worker.ts'
import type { WriterStatus } from '../writer/status.ts'
import type { Notices } from './notices.ts'

type ResetReason = Extract<StoreNotice, { type: 'reset' }>['reason']

/** The counts of the status, kept up to date from what the threads tell, so that reading them costs nothing. */
export class Tally {
  readonly #reader: Pick<Remote<ReaderHandlers>, 'reset' | 'countSince'>
  readonly #notices: Notices
  readonly #now: () => number
  #day = 0
  #today = 0

  constructor(
    reader: Pick<Remote<ReaderHandlers>, 'reset' | 'countSince'>,
    notices: Notices,
    now: () => number,
  ) {
    this.#reader = reader
    this.#notices = notices
    this.#now = now
    this.#day = startOfDay(now())
  }

  counts(status: WriterStatus): Omit<HostStatus['counts'], 'unjudged'> {
    this.#turn()
    const { stored, rings, spilled, budgetDeleted } = status
    return {
      stored,
      rejected: rings.rejected.deliveries,
      rejectedEvicted: rings.rejected.evicted,
      malformed: rings.malformed.deliveries,
      malformedEvicted: rings.malformed.evicted,
      budgetDeleted,
      spilled,
      today: this.#today,
      trashed: status.trashed.deliveries,
    }
  }

  arrived(count: number): void {
    this.#turn()
    this.#today += count
  }

  /** Another, empty database is there. */
  restart(): void {
    this.#today = 0
  }

  async countToday(): Promise<void> {
    // Microseconds since the epoch, in the zone of this machine.
    await this.#reader.countSince(this.#day * 1_000).then(
      (count) => {
        this.#today = count
      },
      () => undefined,
    )
  }

  /** Positions and counts that the reader and the windows remember are void. */
  reset(reason: ResetReason): void {
    void this.#reader.reset().catch(() => undefined)
    this.#notices.send({ type: 'reset', reason })
    this.#notices.countsChanged()
  }

  /** As `reset`. Resolves when every count knows it. */
  async changed(reason: ResetReason): Promise<void> {
    this.reset(reason)
    await this.countToday()
  }

  #turn(): void {
    const day = startOfDay(this.#now())
    if (day === this.#day) return
    this.#day = day
    this.#today = 0
  }
}

function startOfDay(now: number): number {
  return new Date(now).setHours(0, 0, 0, 0)
}

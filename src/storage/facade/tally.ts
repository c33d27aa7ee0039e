import type { HostStatus } from '#contract/status.ts'
import type { WriterStatus } from '../writer/protocol.ts'

/** The counts of the status, kept up to date from what the threads say, so that asking for them costs nothing. */
export class Tally {
  readonly #now: () => number
  #day = 0
  #today = 0

  constructor(now: () => number) {
    this.#now = now
    this.#day = startOfDay(now())
  }

  /** Microseconds since the epoch at which today began, in the zone of this machine. */
  get dayBegan(): number {
    return this.#day * 1_000
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

  setToday(count: number): void {
    this.#today = count
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

/** Tokens are saved up for no longer than this: what a coarse timer came late for is made up, and nothing else. */
const SAVED_SECONDS = 0.05
/** Sums of fractions miss a whole token by less than this. */
const TINY = 1e-9

export interface PacerOptions {
  /** Starts per second at most; null: no bound. */
  readonly ratePerSecond: number | null
  /** Factor for the original gaps between arrivals; null: none. */
  readonly gaps: number | null
  readonly concurrency: number
}

/**
 * When the next entry of a lane may start: by a bound of starts per second (a token bucket that never holds more than `concurrency`), and
 * by the original gaps between the arrivals. Pure: the time is given in milliseconds.
 */
export class Pacer {
  readonly #rate: number | null
  readonly #gaps: number | null
  readonly #capacity: number
  #tokens = 1
  #filledAt: number | undefined
  /** The arrival (microseconds) that the gaps are counted from, and when it started (milliseconds). */
  #base: { readonly receivedAt: number; readonly at: number } | undefined

  constructor({ ratePerSecond, gaps, concurrency }: PacerOptions) {
    this.#rate = ratePerSecond
    this.#gaps = gaps
    this.#capacity = Math.max(1, Math.min(concurrency, (ratePerSecond ?? 0) * SAVED_SECONDS))
  }

  /** @returns when an entry that arrived then may start; not later than `now` when it may at once */
  dueAt(receivedAt: number, now: number): number {
    return Math.max(this.#tokenAt(now), this.#gapAt(receivedAt, now))
  }

  started(receivedAt: number, now: number): void {
    if (this.#gaps !== null) this.#base ??= { receivedAt, at: now }
    if (this.#rate === null) return
    this.#fill(now)
    this.#tokens -= 1
  }

  /** The gaps count from the next start on, as after a pause. */
  restart(): void {
    this.#base = undefined
  }

  #tokenAt(now: number): number {
    if (this.#rate === null) return now
    this.#fill(now)
    return this.#tokens >= 1 - TINY ? now : now + ((1 - this.#tokens) / this.#rate) * 1_000
  }

  #fill(now: number): void {
    const elapsed = Math.max(0, now - (this.#filledAt ?? now))
    this.#tokens = Math.min(this.#capacity, this.#tokens + (elapsed / 1_000) * (this.#rate ?? 0))
    this.#filledAt = Math.max(now, this.#filledAt ?? now)
  }

  #gapAt(receivedAt: number, now: number): number {
    if (this.#gaps === null || !this.#base) return now
    return this.#base.at + (Math.max(0, receivedAt - this.#base.receivedAt) / 1_000) * this.#gaps
  }
}

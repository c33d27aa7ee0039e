export interface Timed {
  /** Milliseconds of performance.now(); may change at any time. */
  readonly dueAt: number
  /** Cancels this exchange together with others. */
  readonly signal: AbortSignal | undefined
  /** Index in the list, managed by Deadlines. */
  slot: number
  overdue(): void
  cancel(): void
}

const TICK_MS = 20

/** One timer for all exchanges, instead of several per request. A deadline fires up to a tick late, never early. */
export class Deadlines {
  // An array, since a Set with constant turnover keeps removed entries alive until the next full garbage collection.
  readonly #timed: Timed[] = []
  readonly #onTick: (now: number) => boolean
  #timer: NodeJS.Timeout | undefined

  /** @param onTick called at each tick; returns whether the timer must keep running without any deadline */
  constructor(onTick: (now: number) => boolean) {
    this.#onTick = onTick
  }

  add(timed: Timed): void {
    timed.slot = this.#timed.push(timed) - 1
    // The sockets of exchanges keep the process alive, so the timer need not.
    this.#timer ??= setInterval(this.#tick, TICK_MS).unref()
  }

  delete(timed: Timed): void {
    const last = this.#timed.pop()
    if (!last || last === timed) return
    this.#timed[timed.slot] = last
    last.slot = timed.slot
  }

  cancel(signal: AbortSignal): void {
    for (const timed of [...this.#timed]) if (timed.signal === signal) timed.cancel()
  }

  stop(): void {
    for (const timed of [...this.#timed]) timed.cancel()
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  readonly #tick = (): void => {
    const now = performance.now()
    for (const timed of [...this.#timed]) if (now >= timed.dueAt) timed.overdue()
    if (this.#onTick(now) || this.#timed.length > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

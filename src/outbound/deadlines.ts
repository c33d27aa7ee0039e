export interface Timed {
  /** Milliseconds of performance.now(); may change at any time. */
  readonly dueAt: number
  /** Ends it with others. */
  readonly signal: AbortSignal | undefined
  /** Its place among the others, for Deadlines alone. */
  slot: number
  overdue(): void
  cancel(): void
}

const TICK_MS = 20

/** One clock for all that is on its way: a hundred requests need no three hundred timers. An end comes up to a tick late, never early. */
export class Deadlines {
  // A Set that is filled and emptied all the time leaves tables behind that keep what was in it alive until the next full collection.
  readonly #timed: Timed[] = []
  readonly #onTick: (now: number) => boolean
  #timer: NodeJS.Timeout | undefined

  /** @param onTick called at each tick; says whether there is need for more of them though nothing is timed */
  constructor(onTick: (now: number) => boolean) {
    this.#onTick = onTick
  }

  add(timed: Timed): void {
    timed.slot = this.#timed.push(timed) - 1
    // What is on its way keeps the process alive by its socket.
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

/** Something that must end by a moment. */
export interface Timed {
  /** Milliseconds of performance.now(); may change at any time. */
  readonly dueAt: number
  overdue(): void
  cancel(): void
}

const TICK_MS = 20

/**
 * One clock for all that is on its way: a hundred requests with three bounds each need no three hundred timers. An end comes up to a tick
 * late, never early.
 */
export class Deadlines {
  readonly #timed = new Set<Timed>()
  readonly #onTick: (now: number) => boolean
  #timer: NodeJS.Timeout | undefined

  /** @param onTick called at each tick; says whether there is need for more of them though nothing is timed */
  constructor(onTick: (now: number) => boolean) {
    this.#onTick = onTick
  }

  all(): Iterable<Timed> {
    return [...this.#timed]
  }

  add(timed: Timed): void {
    this.#timed.add(timed)
    // What is on its way keeps the process alive by its socket.
    this.#timer ??= setInterval(this.#tick, TICK_MS).unref()
  }

  delete(timed: Timed): void {
    this.#timed.delete(timed)
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  readonly #tick = (): void => {
    const now = performance.now()
    for (const timed of this.#timed) if (now >= timed.dueAt) timed.overdue()
    if (!this.#onTick(now) && this.#timed.size === 0) this.stop()
  }
}

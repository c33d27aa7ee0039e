/** Length of the window over which arrivals are averaged, in seconds. */
const WINDOW_S = 5

/** Arrivals per second over the last five whole seconds, in constant memory. */
export class ArrivalRate {
  readonly #counts = new Array<number>(WINDOW_S + 1).fill(0)
  #second = 0

  /** @param nowMs milliseconds since the epoch */
  add(count: number, nowMs: number): void {
    this.#advance(nowMs)
    const slot = this.#second % this.#counts.length
    this.#counts[slot] = (this.#counts[slot] ?? 0) + count
  }

  perSecond(nowMs: number): number {
    this.#advance(nowMs)
    const running = this.#second % this.#counts.length
    const finished = this.#counts.reduce((sum, count, slot) => (slot === running ? sum : sum + count), 0)
    return finished / WINDOW_S
  }

  #advance(nowMs: number): void {
    const second = Math.floor(nowMs / 1000)
    const steps = Math.min(Math.max(second - this.#second, 0), this.#counts.length)
    for (let step = 1; step <= steps; step++) this.#counts[(this.#second + step) % this.#counts.length] = 0
    // Beyond the ring's length every slot is already zero, wherever the loop began.
    this.#second = Math.max(second, this.#second)
  }
}

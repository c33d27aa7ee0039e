import type { CapturedRequests } from './ports.ts'

/** Up to which delivery analysis has come, as far as it was told, and who waits for one. */
export class Analysed {
  readonly #captured: Pick<CapturedRequests, 'analysedUpto'>
  readonly #waiting = new Set<() => void>()
  #upto = 0

  constructor(captured: Pick<CapturedRequests, 'analysedUpto'>) {
    this.#captured = captured
  }

  settled(upto: number): void {
    this.#upto = Math.max(this.#upto, upto)
    for (const look of this.#waiting) look()
  }

  upto(): number {
    return this.#upto
  }

  /** @returns whether the delivery was analysed within the time */
  wait(id: number, timeoutMs: number): Promise<boolean> {
    if (id > this.#upto) this.settled(this.#captured.analysedUpto())
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const end = (reached: boolean) => {
      clearTimeout(timer)
      this.#waiting.delete(look)
      resolve(reached)
    }
    const look = () => {
      if (id <= this.#upto) end(true)
    }
    const timer = setTimeout(() => end(false), timeoutMs)
    this.#waiting.add(look)
    look()
    return promise
  }
}

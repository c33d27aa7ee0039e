import type { TargetAnswer } from '../ports.ts'

const KEPT = 32
const KEPT_BYTES = 1_048_576

/** Answers of a forward's target that the service waits for. One may come before it is asked for, so the last ones are kept for a while. */
export class Answers {
  readonly #waiting = new Map<number, (answer: TargetAnswer | null) => void>()
  readonly #recent = new Map<number, TargetAnswer | null>()

  /** @returns undefined when none came lately */
  recent(deliveryId: number): TargetAnswer | null | undefined {
    return this.#recent.get(deliveryId)
  }

  /** @returns null when it does not come within the time */
  wait(deliveryId: number, timeoutMs: number): Promise<TargetAnswer | null> {
    const { promise, resolve } = Promise.withResolvers<TargetAnswer | null>()
    const settle = (answer: TargetAnswer | null) => {
      clearTimeout(timer)
      this.#waiting.delete(deliveryId)
      resolve(answer)
    }
    const timer = setTimeout(() => settle(null), timeoutMs)
    this.#waiting.set(deliveryId, settle)
    return promise
  }

  /** @param answer null when there is none to give */
  came(deliveryId: number, answer: TargetAnswer | null): void {
    this.#waiting.get(deliveryId)?.(answer)
    if ((answer?.body.byteLength ?? 0) > KEPT_BYTES) return
    this.#recent.set(deliveryId, answer)
    const [oldest] = this.#recent.keys()
    if (this.#recent.size > KEPT && oldest !== undefined) this.#recent.delete(oldest)
  }
}

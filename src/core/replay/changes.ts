import { DELIVERIES_PER_PUSH } from '#contract/values.ts'
import type { ReplayNotice } from '../ports.ts'
import { Throttle } from '../threads.ts'

export class Changes {
  readonly #jobs = new Set<number>()
  readonly #deliveries = new Set<number>()
  readonly #throttle: Throttle
  #forwards = false
  #more = false

  constructor(tell: (notice: ReplayNotice) => void) {
    this.#throttle = new Throttle(() => {
      const [jobs, deliveries] = [[...this.#jobs], [...this.#deliveries]]
      const notice = { jobs, deliveries, forwards: this.#forwards, more: this.#more }
      this.#jobs.clear()
      this.#deliveries.clear()
      this.#forwards = false
      this.#more = false
      tell(notice)
    })
  }

  job(id: number): void {
    this.#jobs.add(id)
    this.#throttle.ring()
  }

  forwards(): void {
    this.#forwards = true
    this.#throttle.ring()
  }

  delivery(id: number): void {
    if (this.#deliveries.size < DELIVERIES_PER_PUSH) this.#deliveries.add(id)
    else if (!this.#deliveries.has(id)) this.#more = true
    this.#throttle.ring()
  }

  close(): void {
    this.#throttle.close()
  }
}

import { DELIVERIES_PER_PUSH } from '#contract/values.ts'
import type { ReplayNotice } from '../ports.ts'

/** Five a second: what a person can follow. */
const INTERVAL_MS = 200

/** Gathers what changed and tells it, limited. */
export class Changes {
  readonly #tell: (notice: ReplayNotice) => void
  readonly #jobs = new Set<number>()
  readonly #deliveries = new Set<number>()
  #forwards = false
  #more = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #toldAt = Number.NEGATIVE_INFINITY

  constructor(tell: (notice: ReplayNotice) => void) {
    this.#tell = tell
  }

  job(id: number): void {
    this.#jobs.add(id)
    this.#schedule()
  }

  forwards(): void {
    this.#forwards = true
    this.#schedule()
  }

  delivery(id: number): void {
    if (this.#deliveries.size < DELIVERIES_PER_PUSH) this.#deliveries.add(id)
    else if (!this.#deliveries.has(id)) this.#more = true
    this.#schedule()
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#jobs.size > 0 || this.#deliveries.size > 0 || this.#forwards) this.#flush()
  }

  #schedule(): void {
    this.#timer ??= setTimeout(
      () => this.#flush(),
      Math.max(0, this.#toldAt + INTERVAL_MS - performance.now()),
    )
  }

  #flush(): void {
    this.#timer = undefined
    this.#toldAt = performance.now()
    const notice = {
      jobs: [...this.#jobs],
      forwards: this.#forwards,
      deliveries: [...this.#deliveries],
      more: this.#more,
    }
    this.#jobs.clear()
    this.#deliveries.clear()
    this.#forwards = false
    this.#more = false
    this.#tell(notice)
  }
}

import type { ReconcileNotice } from '../ports.ts'

/** Five a second: what a person can follow. */
const INTERVAL_MS = 200

/** Gathers which sweeps changed and tells it, limited. */
export class SweepChanges {
  readonly #tell: (notice: ReconcileNotice) => void
  readonly #sweeps = new Set<number>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #toldAt = Number.NEGATIVE_INFINITY

  constructor(tell: (notice: ReconcileNotice) => void) {
    this.#tell = tell
  }

  sweep(id: number): void {
    this.#sweeps.add(id)
    this.#timer ??= setTimeout(
      () => this.#flush(),
      Math.max(0, this.#toldAt + INTERVAL_MS - performance.now()),
    )
  }

  close(): void {
    clearTimeout(this.#timer)
    if (this.#sweeps.size > 0) this.#flush()
  }

  #flush(): void {
    this.#timer = undefined
    this.#toldAt = performance.now()
    const sweeps = [...this.#sweeps]
    this.#sweeps.clear()
    this.#tell({ sweeps })
  }
}

import type { DeliveryRow } from '#contract/delivery.ts'

/** More than a window shows; what is older has long been written down. */
const KEPT = 4_096

/** How long the latest answers took, until the writer, in a pause, has written it into their rows. */
export class RecentDurations {
  readonly #ids = new Float64Array(KEPT)
  readonly #took = new Float64Array(KEPT)

  add(id: number, tookUs: number): void {
    const slot = id % KEPT
    this.#ids[slot] = id
    this.#took[slot] = tookUs
  }

  /** The same row with its duration, when only this side knows it yet. */
  complete<R extends DeliveryRow>(row: R): R {
    const slot = row.id % KEPT
    if (row.tookUs !== null || this.#ids[slot] !== row.id) return row
    return { ...row, tookUs: this.#took[slot] ?? null }
  }
}

import type { DeliveryRow } from '#contract/delivery.ts'

/** More than a window shows; what is older has long been written down. */
const KEPT = 4_096

/** How long the latest answers took, until the writer, in a pause, has written it into their rows. */
export class RecentDurations {
  readonly #took = new Map<number, number>()

  add(id: number, tookUs: number): void {
    this.#took.set(id, tookUs)
    if (this.#took.size <= KEPT) return
    const [oldest] = this.#took.keys()
    if (oldest !== undefined) this.#took.delete(oldest)
  }

  /** The same row with its duration, when only this side knows it yet. */
  complete<R extends DeliveryRow>(row: R): R {
    const tookUs = row.tookUs === null ? this.#took.get(row.id) : undefined
    return tookUs === undefined ? row : { ...row, tookUs }
  }
}

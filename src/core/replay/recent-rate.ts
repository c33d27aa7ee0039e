/** Counted together. */
const SLOT_MS = 250
const SLOTS = 20

/** How many per second over the last seconds, or since it began when that is less. */
export class RecentRate {
  readonly #slots = new Map<number, number>()
  #since: number | undefined

  /** @param now milliseconds */
  add(now: number): void {
    this.#since ??= now
    const slot = Math.floor(now / SLOT_MS)
    this.#slots.set(slot, (this.#slots.get(slot) ?? 0) + 1)
    this.#forget(slot)
  }

  perSecond(now: number): number {
    this.#forget(Math.floor(now / SLOT_MS))
    if (this.#since === undefined) return 0
    const window = Math.max(SLOT_MS, Math.min(SLOTS * SLOT_MS, now - this.#since))
    let count = 0
    for (const one of this.#slots.values()) count += one
    return (count * 1_000) / window
  }

  #forget(present: number): void {
    for (const slot of this.#slots.keys()) {
      if (slot > present - SLOTS) break
      this.#slots.delete(slot)
    }
  }
}

/** A set of listeners for one event. */
export class Listeners<Told extends readonly unknown[] = []> {
  readonly #all = new Set<(...told: Told) => void>()

  /** @returns a function that removes the listener */
  readonly add = (listener: (...told: Told) => void): (() => void) => {
    this.#all.add(listener)
    return () => this.#all.delete(listener)
  }

  readonly tell = (...told: Told): void => {
    for (const listener of this.#all) listener(...told)
  }

  clear(): void {
    this.#all.clear()
  }
}

/** Says once that nothing can be stored, and once that it can again with what was lost between: not once per delivery. */
export class StoreTrouble {
  readonly #warn: (message: string) => void
  #refused = 0

  constructor(warn: (message: string) => void) {
    this.#warn = warn
  }

  failed(error: unknown): void {
    this.#refused++
    if (this.#refused > 1) return
    const reason = error instanceof Error ? error.message : String(error)
    this.#warn(`Deliveries cannot be stored (${reason}). They are answered 503 and lost to the service.`)
  }

  stored(): void {
    if (this.#refused === 0) return
    this.#warn(`Deliveries are stored again; ${this.#refused} could not be and were answered 503.`)
    this.#refused = 0
  }
}

/** Memory that senders share. What one takes beyond it, it does not get. */
export class Room {
  readonly #bytes: number
  #taken = 0

  constructor(bytes: number) {
    this.#bytes = bytes
  }

  /** @returns whether it was there to take */
  take(bytes: number): boolean {
    if (this.#taken + bytes > this.#bytes) return false
    this.#taken += bytes
    return true
  }

  give(bytes: number): void {
    this.#taken -= bytes
  }
}

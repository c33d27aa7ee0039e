/** Reads that one turn of the event loop serves. */
const EACH_TURN = 2
/** Turns in a row that accepting may take from them. */
const MOST_SKIPPED = 20
/** Bytes on their way to the store; beyond it further reads wait. */
const MOST_UNSTORED = 4_194_304

/**
 * Lets the connections that send more than one read takes go on in order, a few in each turn of the event loop. Without this the event
 * loop would read megabytes from each of them before it accepts the next connection: it accepts one in each turn.
 */
export class Turns {
  readonly #waiting: (() => void)[] = []
  #scheduled = false
  #unstored = 0
  #accepted = false
  #skipped = 0

  /**
   * @param go called when it is this connection's turn, never at once
   * @param next before all that wait: for what takes memory until it is whole
   */
  wait(go: () => void, next = false): void {
    if (next) this.#waiting.unshift(go)
    else this.#waiting.push(go)
    this.#schedule()
  }

  /** A connection came, so others may be waiting to be accepted: they go first. */
  accepted(): void {
    this.#accepted = true
  }

  /** So many bytes are on their way to the store. */
  storing(bytes: number): void {
    this.#unstored += bytes
  }

  stored(bytes: number): void {
    this.#unstored -= bytes
    this.#schedule()
  }

  #schedule(): void {
    if (this.#scheduled || this.#waiting.length === 0 || this.#unstored >= MOST_UNSTORED) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      const skip = this.#accepted && this.#skipped < MOST_SKIPPED
      this.#accepted = false
      this.#skipped = skip ? this.#skipped + 1 : 0
      if (!skip) for (const go of this.#waiting.splice(0, EACH_TURN)) go()
      this.#schedule()
    })
  }
}

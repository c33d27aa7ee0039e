/** While many are analysed again, lists are drawn anew this often at most. */
const TELL_MS = 1_000

/**
 * How many deliveries that came back from the trash wait for their analysis. What is not analysed has no kind and no verdict, so lists
 * and counts that were remembered meanwhile are void once it is.
 */
export class RestoredWait {
  readonly #tell: () => void
  readonly #heard: () => void
  /** Not yet heard of by the analyst. */
  #unheard = 0
  #pending = 0
  #toldAt = 0

  /** @param tell counts and positions known so far are void @param heard the analyst knows of all of them */
  constructor(tell: () => void, heard: () => void) {
    this.#tell = tell
    this.#heard = heard
  }

  get waiting(): number {
    return this.#unheard + this.#pending
  }

  /** So many are back. @param ask tells the analyst; one that is not there finds out by itself when it is opened */
  back(count: number, ask: () => Promise<void>): void {
    this.#unheard += count
    ask()
      .catch(() => undefined)
      .finally(() => {
        this.#unheard -= count
        if (this.#unheard === 0) this.#heard()
      })
  }

  /** The analyst has so many left. */
  left(pending: number): void {
    const before = this.#pending
    this.#pending = pending
    if (pending >= before) return
    const now = performance.now()
    if (pending > 0 && now - this.#toldAt < TELL_MS) return
    this.#toldAt = now
    this.#tell()
  }
}

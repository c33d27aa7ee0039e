import type { StoreWorkers } from '../open.ts'
import { Errand } from './errand.ts'

/** The full check waits until the first moments, when everybody wants the disk, are over. */
const AFTER_MS = 3_000
const AGAIN_MS = 60_000

/** Looks through captured.db for damage that opening it does not show, on a thread of its own that can be cut off. */
export class Checker {
  readonly #path: string
  readonly #workers: StoreWorkers
  #running: Errand | undefined
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(path: string, workers: StoreWorkers) {
    this.#path = path
    this.#workers = workers
  }

  /** Checks in a while; when it is cut off, again later. @param onDamage takes what was found */
  checkBehind(onDamage: (reason: string) => void, delay = AFTER_MS): void {
    if (this.#closed) return
    this.#timer = setTimeout(() => {
      this.#check().then(
        (found) => (found === null ? undefined : onDamage(found)),
        () => this.checkBehind(onDamage, AGAIN_MS),
      )
    }, delay).unref()
  }

  /** @returns what is wrong now; null when nothing is, or when it could not be found out */
  checkNow(): Promise<string | null> {
    return this.#check().catch(() => null)
  }

  /** Ends a check that is running. */
  async cutOff(): Promise<void> {
    await this.#running?.end()
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.cutOff()
  }

  async #check(): Promise<string | null> {
    const errand = new Errand(this.#workers)
    this.#running = errand
    try {
      return await errand.check(this.#path)
    } finally {
      if (this.#running === errand) this.#running = undefined
      await errand.end()
    }
  }
}

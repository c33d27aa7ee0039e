import type { FileReader } from '#core/ports.ts'

/** Deliveries lie in the journal meanwhile: nobody's slowness may keep them there. */
const PATIENCE_MS = 3_000

/** Those who read the store's files besides it. */
export class FileReaders {
  readonly #readers = new Set<FileReader>()
  #out = false

  add(reader: FileReader): () => void {
    this.#readers.add(reader)
    return () => this.#readers.delete(reader)
  }

  /** Resolves when all have let go, or have had their time: on most systems it does not matter, and elsewhere it is tried again. */
  async release(): Promise<void> {
    this.#out = true
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, PATIENCE_MS)
    await Promise.race([Promise.allSettled([...this.#readers].map((one) => one.release())), late])
    clearTimeout(timer)
  }

  /** Lets them in again, if they are out. */
  reopen(): void {
    if (!this.#out) return
    this.#out = false
    for (const reader of this.#readers) reader.reopen()
  }
}

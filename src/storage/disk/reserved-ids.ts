import { numberIn, replaceFile } from './files.ts'

/** Ids are promised in blocks of this many, so that the file is written rarely. */
const BLOCK = 10_000

/** A promise outside the database: no id above the number in this file was ever given out, so that an id never names two deliveries. */
export class ReservedIds {
  readonly #path: string
  #ceiling: number

  constructor(path: string) {
    this.#path = path
    this.#ceiling = numberIn(path)
  }

  get ceiling(): number {
    return this.#ceiling
  }

  /** The first id to give out when the highest one found in the database is `highest`. */
  firstFree(highest: number): number {
    // Close below the promise the database is simply what a crash left; farther below it, or empty, rows have been lost.
    const lost = highest === 0 || this.#ceiling - highest > 2 * BLOCK
    return (lost ? Math.max(this.#ceiling, highest) : highest) + 1
  }

  /** Call before ids up to `id` are given out. @throws the file system's error; nothing is promised then */
  promise(id: number): void {
    if (id > this.#ceiling) this.#write(id + BLOCK)
  }

  /** As `promise`, where the ids are given out in any case: a disk that is full fails the delivery's own write too, and says so there. */
  cover(id: number): void {
    try {
      this.promise(id)
    } catch {
      this.#ceiling = id + BLOCK
    }
  }

  /** At an orderly end: the promise is exact again. */
  settle(highest: number): void {
    try {
      if (highest !== this.#ceiling) this.#write(highest)
    } catch {
      // The promise before holds too, and skips ids.
    }
  }

  #write(ceiling: number): void {
    replaceFile(this.#path, `${ceiling}\n`)
    this.#ceiling = ceiling
  }
}

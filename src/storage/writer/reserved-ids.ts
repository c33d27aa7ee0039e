import { numberIn, replaceFile } from '../disk/files.ts'

/** Ids are promised in blocks of this many, so that the file is written rarely. */
const BLOCK = 10_000

/**
 * A promise outside the database: no id above the number in this small file has ever been given out. When the database is lost, ids
 * continue above it, so that an id never names two deliveries.
 */
export class ReservedIds {
  readonly #path: string
  #ceiling: number

  constructor(path: string) {
    this.#path = path
    this.#ceiling = numberIn(path)
  }

  /** Whether ids have been given out. */
  get any(): boolean {
    return this.#ceiling > 0
  }

  /** The first id to give out when the highest one found in the database is `highest`. */
  firstFree(highest: number): number {
    // Close below the promise the database is simply what a crash left; farther below it, or empty, rows have been lost.
    const lost = highest === 0 || this.#ceiling - highest > 2 * BLOCK
    return (lost ? Math.max(this.#ceiling, highest) : highest) + 1
  }

  /** Call before ids up to `id` are given out. */
  cover(id: number): void {
    if (id > this.#ceiling) this.#promise(id + BLOCK)
  }

  /** At an orderly end: the promise is exact again. */
  settle(highest: number): void {
    if (highest !== this.#ceiling) this.#promise(highest)
  }

  #promise(ceiling: number): void {
    try {
      replaceFile(this.#path, `${ceiling}\n`)
    } catch {
      // A disk that is full fails the delivery's own write too, and says so there; this promise is a second safety only.
    }
    this.#ceiling = ceiling
  }
}

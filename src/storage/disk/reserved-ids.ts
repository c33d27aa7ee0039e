import { numberIn, replaceFile } from './files.ts'

/** Ids to reserve at once, so that the file is written rarely. */
const BLOCK = 10_000

/** A ceiling outside the database: no id above it was ever assigned, so that an id never names two deliveries. */
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

  /** Call before assigning ids up to `id`. @throws the file system's error; then the ceiling is unchanged */
  promise(id: number): void {
    if (id > this.#ceiling) this.#write(id + BLOCK)
  }

  /** Like `promise`, for ids that are assigned in any case: a full disk also fails the delivery's own write, which reports it. */
  cover(id: number): void {
    try {
      this.promise(id)
    } catch {
      this.#ceiling = id + BLOCK
    }
  }

  /** Call at an orderly end: makes the ceiling exact. */
  settle(highest: number): void {
    try {
      if (highest !== this.#ceiling) this.#write(highest)
    } catch {
      // The old ceiling is valid too; it only skips ids.
    }
  }

  #write(ceiling: number): void {
    replaceFile(this.#path, `${ceiling}\n`)
    this.#ceiling = ceiling
  }
}

import { dirname, join } from 'node:path'
import { AcuseError } from '#contract/errors.ts'
import { numberIn, replaceFile, words } from '../disk/files.ts'

/** Ids are promised in blocks of this many, so that the file is written rarely. */
const BLOCK = 10_000

/**
 * Ids for attempts. No id above the number in a small file has ever been given out; it lies outside the database, is synced, and so
 * outlives a kill, a power cut and a database set aside: targets have seen these ids in X-Acuse-Replay.
 */
export class AttemptIds {
  readonly #path: string
  #next: number
  #ceiling: number

  /** @param highest id in the database, should the file be lost */
  constructor(replays: string, highest: number) {
    this.#path = join(dirname(replays), 'reserved-attempt-ids')
    this.#ceiling = Math.max(highest, numberIn(this.#path))
    this.#next = this.#ceiling + 1
  }

  /** @throws AcuseError `store-failed` when the promise cannot be written */
  reserve(count: number): number {
    const first = this.#next
    const last = first + count - 1
    if (last > this.#ceiling) this.#promise(last + BLOCK)
    this.#next = last + 1
    return first
  }

  /** At an orderly end no ids are skipped. */
  settle(): void {
    if (this.#ceiling >= this.#next) this.#promise(this.#next - 1)
  }

  #promise(ceiling: number): void {
    try {
      replaceFile(this.#path, `${ceiling}\n`)
      this.#ceiling = ceiling
    } catch (error) {
      throw new AcuseError('store-failed', `${this.#path} cannot be written: ${words(error)}.`, {
        path: this.#path,
      })
    }
  }
}

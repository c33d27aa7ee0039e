import { createHash } from 'node:crypto'

/** Answers are few and repeat: this many are recognised without asking SQLite. */
const REMEMBERED = 256
/** Longer ones are recognised by their hash, to keep the memory of the above small. */
const SHORT = 512

/** The ids of bytes that are kept once, however often they come. */
export class KnownBytes {
  readonly #ids = new Map<string, number>()

  /** @param find the id of bytes with this hash, which are kept by then */
  idOf(bytes: Buffer, find: (hash: Buffer) => number): number {
    const short = bytes.byteLength <= SHORT
    const key = short ? `=${bytes.toString('latin1')}` : `#${hashOf(bytes).toString('base64')}`
    const known = this.#ids.get(key)
    if (known !== undefined) return known
    const id = find(hashOf(bytes))
    if (this.#ids.size >= REMEMBERED) this.#ids.clear()
    this.#ids.set(key, id)
    return id
  }

  clear(): void {
    this.#ids.clear()
  }
}

const hashOf = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()

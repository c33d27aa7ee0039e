import { createHash } from 'node:crypto'

/** Cached ids. Answers are few and repeat, so most need no query. */
const REMEMBERED = 256
/** Longer bytes are keyed by their hash, to keep the cache small. */
const SHORT = 512

/** Cache of ids of byte strings that the database stores once each. */
export class KnownBytes {
  readonly #ids = new Map<string, number>()

  /** @param find stores the bytes if needed, and returns the id for their hash */
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

import { type JsonLines, KIND, NONE } from './json-lines.ts'
import { nameOf } from './members.ts'

interface Candidate {
  readonly index: number
  readonly exact: Uint8Array
  readonly lower: Uint8Array
}

const encoder = new TextEncoder()
const QUOTE = 0x22
const BACKSLASH = 0x5c

const lowered = (byte: number): number => (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte)

/** Finds members by the bytes of their names, by the rule of `memberCounting`: making five million strings would take seconds. */
export class LineNames {
  readonly #json: JsonLines
  readonly #bytes: Uint8Array
  readonly #names: readonly string[]
  readonly #byLength = new Map<number, Candidate[]>()
  readonly #found: Int32Array
  readonly #exact: Uint8Array

  constructor(json: JsonLines, bytes: Uint8Array, names: readonly string[]) {
    this.#json = json
    this.#bytes = bytes
    this.#names = names
    this.#found = new Int32Array(names.length)
    this.#exact = new Uint8Array(names.length)
    names.forEach((name, index) => {
      const candidate = { index, exact: encoder.encode(name), lower: encoder.encode(name.toLowerCase()) }
      this.#byLength.set(name.length, [...(this.#byLength.get(name.length) ?? []), candidate])
    })
  }

  /** @param unknown told the names of the others @returns for each name the line of its member or -1; the same array each time */
  of(item: number, unknown: (name: string) => void): Int32Array {
    this.#found.fill(-1)
    this.#exact.fill(0)
    if (this.#json.kind(item) !== KIND.object) return this.#found
    for (const member of this.#json.children(item)) {
      const key = this.#json.key(member)
      if (key === NONE) continue
      const end = this.#plainEnd(key)
      const known = end < 0 ? this.#slowly(member) : this.#match(key + 1, end)
      if (known === undefined) unknown(nameOf(this.#json, this.#bytes, member))
      else this.#put(known.index, known.exact, member)
    }
    return this.#found
  }

  #put(index: number, exact: boolean, member: number): void {
    if (this.#exact[index] === 1 && !exact) return
    this.#found[index] = member
    if (exact) this.#exact[index] = 1
  }

  /** End of a name that is plain ASCII without escapes; -1 for any other. */
  #plainEnd(key: number): number {
    for (let at = key + 1; at < this.#bytes.length; at += 1) {
      const byte = this.#bytes[at] ?? 0
      if (byte === QUOTE) return at
      if (byte === BACKSLASH || byte >= 0x80) return -1
    }
    return -1
  }

  #match(from: number, to: number): { readonly index: number; readonly exact: boolean } | undefined {
    for (const { index, exact, lower } of this.#byLength.get(to - from) ?? []) {
      let same = true
      let alike = true
      for (let k = 0; alike && k < exact.length; k += 1) {
        const byte = this.#bytes[from + k] ?? 0
        if (byte !== exact[k]) same = false
        if (lowered(byte) !== lower[k]) alike = false
      }
      if (alike) return { index, exact: same }
    }
    return undefined
  }

  #slowly(member: number): { readonly index: number; readonly exact: boolean } | undefined {
    const name = nameOf(this.#json, this.#bytes, member)
    const exact = this.#names.indexOf(name)
    if (exact >= 0) return { index: exact, exact: true }
    const lower = name.toLowerCase()
    const index = this.#names.findIndex((known) => known.toLowerCase() === lower)
    return index >= 0 ? { index, exact: false } : undefined
  }
}

import { JsonLines, KIND, type Kind, NONE } from './json-lines.ts'

/** Longest stretch of one value on one row; more goes to rows of its own. */
export const PIECE = 512
/** Beyond this the index would cost more memory than the body: the rest is left to the text view. */
export const MAX_LINES = 4_000_000

const QUOTE = 0x22
const BACKSLASH = 0x5c

type Expect = 'value' | 'first-item' | 'first-key' | 'key' | 'colon' | 'next' | 'nothing'

/** Reads JSON into lines, without recursion and leniently: the checks judge. `run` works a stretch, so that newer requests never wait. */
export class JsonScanner {
  readonly lines = new JsonLines()
  /** Where reading stopped before the end; null so far. */
  brokenAt: number | null = null
  limited = false
  readonly #bytes: Uint8Array
  readonly #whole: boolean
  #at: number
  #expect: Expect = 'value'
  #open: number = NONE
  #key: number = NONE

  /** @param whole false: the bytes are the beginning of more, and end anywhere */
  constructor(bytes: Uint8Array, whole: boolean) {
    this.#bytes = bytes
    this.#whole = whole
    this.#at = textBegin(bytes)
  }

  run(budget: number): boolean {
    const bytes = this.#bytes
    const stop = Math.min(bytes.length, this.#at + budget)
    while (this.#at < stop) {
      const byte = bytes[this.#at] ?? 0
      if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) {
        this.#at += 1
      } else if (this.lines.count >= MAX_LINES) {
        this.limited = true
        return this.#finish()
      } else if (!this.#step(byte)) {
        this.brokenAt = this.#at
        return this.#finish()
      }
    }
    if (this.#at < bytes.length) return false
    if (this.#whole && this.#expect !== 'nothing') this.brokenAt = bytes.length
    return this.#finish()
  }

  #step(byte: number): boolean {
    switch (this.#expect) {
      case 'colon':
        if (byte !== 0x3a) return false
        this.#at += 1
        this.#expect = 'value'
        return true
      case 'next':
        if (byte === 0x2c) {
          this.lines.addComma(this.lines.count - 1)
          this.#at += 1
          this.#expect = this.lines.kind(this.#open) === KIND.object ? 'key' : 'value'
          return true
        }
        return this.#close(byte)
      case 'first-key':
      case 'key':
        if (byte === QUOTE) {
          this.#key = this.#at
          this.#at = stringEnd(this.#bytes, this.#at)
          this.#expect = 'colon'
          return true
        }
        return this.#expect === 'first-key' && this.#close(byte)
      case 'first-item':
        return byte === 0x5d ? this.#close(byte) : this.#value(byte)
      case 'value':
        return this.#value(byte)
      case 'nothing':
        return false
    }
  }

  #value(byte: number): boolean {
    if (byte === 0x7b || byte === 0x5b) {
      const object = byte === 0x7b
      this.#open = this.#add(object ? KIND.object : KIND.array, this.#at, this.#at + 1)
      this.#at += 1
      this.#expect = object ? 'first-key' : 'first-item'
      return true
    }
    const start = this.#at
    if (byte === QUOTE) {
      this.#at = stringEnd(this.#bytes, start)
      this.#scalar(KIND.string, start, this.#at)
      return true
    }
    let end = start
    while (end < this.#bytes.length && isWord(this.#bytes[end] ?? 0)) end += 1
    if (end === start) return false
    const numeric = byte === 0x2d || (byte >= 0x30 && byte <= 0x39)
    if (!numeric && !isLiteral(this.#bytes, start, end) && (this.#whole || end < this.#bytes.length))
      return false
    this.#at = end
    this.#scalar(numeric ? KIND.number : KIND.literal, start, end)
    return true
  }

  #scalar(kind: Kind, from: number, to: number): void {
    const first = this.#add(kind, from, Math.min(to, pieceEnd(this.#bytes, from, to)))
    const { parent, depth } = { parent: this.lines.parent(first), depth: this.lines.depth(first) }
    for (let at = this.lines.to(first); at < to && this.lines.count < MAX_LINES; ) {
      const next = pieceEnd(this.#bytes, at, to)
      this.lines.add(KIND.continuation, NONE, at, next, parent, depth)
      at = next
    }
    this.lines.setEnd(first, this.lines.count - 1)
    if (!this.#whole && to >= this.#bytes.length) this.lines.markCut(first)
    this.#after()
  }

  #close(byte: number): boolean {
    if (this.#open === NONE) return false
    const object = this.lines.kind(this.#open) === KIND.object
    if (byte !== (object ? 0x7d : 0x5d)) return false
    const opened = this.#open
    if (this.#expect === 'first-key' || this.#expect === 'first-item') {
      this.lines.makeEmpty(opened, this.#at + 1)
    } else {
      const depth = this.lines.depth(opened)
      this.lines.setEnd(opened, this.lines.add(KIND.close, NONE, this.#at, this.#at + 1, opened, depth))
    }
    this.#open = this.lines.parent(opened)
    this.#at += 1
    this.#after()
    return true
  }

  #after(): void {
    this.#expect = this.#open === NONE ? 'nothing' : 'next'
  }

  #add(kind: Kind, from: number, to: number): number {
    const depth = this.#open === NONE ? 0 : this.lines.depth(this.#open) + 1
    const line = this.lines.add(kind, this.#key, from, to, this.#open, depth)
    this.#key = NONE
    return line
  }

  /** What is open ends with the last line, so that it can still be folded; what could not be read follows as text. */
  #finish(): true {
    if (this.#key !== NONE && this.brokenAt === null) this.#add(KIND.tail, this.#key, this.#key)
    const last = this.lines.count - 1
    for (let open = this.#open; open !== NONE; open = this.lines.parent(open)) this.lines.setEnd(open, last)
    if (this.brokenAt !== null) this.#addTail(this.brokenAt)
    this.#at = this.#bytes.length
    return true
  }

  #addTail(from: number): void {
    let at = this.#key === NONE ? from : this.#key
    while (at < this.#bytes.length && this.lines.count < MAX_LINES) {
      const newline = this.#bytes.subarray(at, at + PIECE).indexOf(0x0a)
      const end = newline === -1 ? pieceEnd(this.#bytes, at, this.#bytes.length) : at + newline
      this.lines.add(KIND.tail, NONE, at, end, NONE, 0)
      at = newline === -1 ? end : end + 1
    }
    if (at < this.#bytes.length) this.limited = true
  }
}

/** Past a byte order mark, which is no part of the first value, nor of the text that lines and columns count in. */
export const textBegin = (bytes: Uint8Array): number =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0

/** Past the closing quote of the string that begins at `from`, or the end of the bytes. */
export function stringEnd(bytes: Uint8Array, from: number, limit = bytes.length): number {
  let at = from + 1
  while (at < limit && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return Math.min(limit, at + 1)
}

/** At most PIECE bytes on, never inside a character. */
export function pieceEnd(bytes: Uint8Array, from: number, to: number, most = PIECE): number {
  let end = from + most
  if (end >= to) return to
  while (end > from + 1 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return end
}

function isWord(byte: number): boolean {
  const letter = byte | 0x20
  return (
    (letter >= 0x61 && letter <= 0x7a) ||
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x2d ||
    byte === 0x2b ||
    byte === 0x2e
  )
}

function isLiteral(bytes: Uint8Array, from: number, to: number): boolean {
  if (to - from > 5) return false
  const word = String.fromCharCode(...bytes.subarray(from, to))
  return word === 'true' || word === 'false' || word === 'null'
}

import {
  ARRAY,
  ESCAPED,
  FALSE,
  type JsonTree,
  KEY,
  MAX_NODES,
  NULL,
  NUMBER,
  OBJECT,
  SHAPE_SHIFT,
  STRING,
  TRUE,
} from './tree.ts'

/**
 * Why a text is not JSON (RFC 8259). `empty`: only white space; `end`: it ends in the middle; `trailing`: text after the value; `control`:
 * a raw control character in a string; `escape`: an invalid escape; `number`: a malformed number; `too-many`: more values than the caller
 * allows, reported early to bound memory.
 */
export type JsonReason =
  | 'empty'
  | 'end'
  | 'unexpected'
  | 'trailing'
  | 'control'
  | 'escape'
  | 'number'
  | 'too-many'
export interface JsonProblem {
  readonly problem: JsonReason
  readonly offset: number
}

const problem = (bytes: Uint8Array, reason: JsonReason, at: number): JsonProblem => ({
  problem: at >= bytes.length && reason !== 'empty' ? 'end' : reason,
  offset: at - surplusIn(bytes, 0, at),
})

const wrongString = (bytes: Uint8Array, at: number): JsonProblem =>
  problem(bytes, byteAt(bytes, at) < 0x20 ? 'control' : 'escape', at)

/** Tables double up to this size; beyond it one takes its maximum, since the system only commits the pages written. */
const DOUBLED_CELLS = 262_144

function grown(cells: Uint32Array, bytes: Uint8Array, nodes: number): Uint32Array {
  // Every value takes at least one byte, so the body's length limits the table.
  const most = 3 * Math.min(nodes, bytes.length + 2)
  const larger = new Uint32Array((cells.length < DOUBLED_CELLS ? Math.min(most, cells.length * 2) : most) + 6)
  larger.set(cells)
  return larger
}

/** Space, comma, colon or closing bracket: a byte that starts no value and ends every number or literal. */
const isBetween = (byte: number): boolean =>
  byte <= 0x20 || byte === 0x2c || byte === 0x3a || byte === 0x5d || byte === 0x7d

/** @returns offset of the first value beyond `nodes`, found before a larger table is allocated; -1 when there is none */
function surfeitAt(bytes: Uint8Array, nodes: number): number {
  let count = 0
  let at = 0
  while (at < bytes.length) {
    const byte = byteAt(bytes, at)
    if (isBetween(byte)) {
      at++
      continue
    }
    if (++count > nodes - 2) return at
    if (byte === 0x22) {
      const end = stringEnd(bytes, at + 1)
      if (end < 0) return -1
      at = end & OFFSET
    } else if (byte === 0x7b || byte === 0x5b) at++
    else while (at < bytes.length && !isBetween(byteAt(bytes, at))) at++
  }
  return -1
}

/**
 * Parses JSON without recursion, so five million `[` are no problem; accepts exactly what JSON.parse accepts.
 * @param text decoded body without byte-order mark
 * @param bytes the same text as UTF-8, if available
 * @param scratch cells to reuse, for callers that drop each tree before the next
 */
export function scanJson(
  text: string,
  bytes: Uint8Array = new TextEncoder().encode(text),
  scratch?: Uint32Array,
  nodes = MAX_NODES,
): JsonTree | JsonProblem {
  if (bytes.length > MAX_BYTES) return { problem: 'too-many', offset: 0 }
  let cells = scratch ?? new Uint32Array(3 * (32 + (bytes.length >>> 3)))
  let count = 0
  let parent = -1
  let inObject = false
  let depth = 0
  let deepest = 0
  let at = 0
  // Difference between the offsets in bytes and in text.
  let surplus = 0
  for (;;) {
    if (count * 3 + 6 > cells.length) {
      const surfeit = cells.length >= DOUBLED_CELLS && bytes.length > nodes ? surfeitAt(bytes, nodes) : -1
      if (surfeit !== -1) return problem(bytes, 'too-many', surfeit)
      cells = grown(cells, bytes, nodes)
    }
    if (count > nodes - 3) return problem(bytes, 'too-many', at)
    at = skipSpace(bytes, at)
    if (inObject) {
      if (byteAt(bytes, at) !== 0x22) return problem(bytes, 'unexpected', at)
      const end = stringEnd(bytes, at + 1)
      if (end < 0) return wrongString(bytes, -1 - end)
      cells[count * 3] = at - surplus
      if (end & HAS_WIDE) surplus += surplusIn(bytes, at, end & OFFSET)
      at = end & OFFSET
      cells[count * 3 + 1] = at - surplus
      cells[count * 3 + 2] = (count + 1) | ((end & HAS_ESCAPE ? KEY | ESCAPED : KEY) << SHAPE_SHIFT)
      count++
      at = skipSpace(bytes, at)
      if (byteAt(bytes, at) !== 0x3a) return problem(bytes, 'unexpected', at)
      at = skipSpace(bytes, at + 1)
    }
    const first = byteAt(bytes, at)
    const base = count * 3
    cells[base] = at - surplus
    if (first === 0x7b || first === 0x5b) {
      inObject = first === 0x7b
      // Until the container closes, its third cell holds its parent, so the stack needs no memory of its own.
      cells[base + 2] = (parent + 1) | ((inObject ? OBJECT : ARRAY) << SHAPE_SHIFT)
      parent = count
      count++
      depth++
      if (depth > deepest) deepest = depth
      at = skipSpace(bytes, at + 1)
      if (byteAt(bytes, at) !== first + 2) continue
    } else {
      let shape = STRING
      if (first === 0x22) {
        const end = stringEnd(bytes, at + 1)
        if (end < 0) return wrongString(bytes, -1 - end)
        if (end & HAS_ESCAPE) shape |= ESCAPED
        if (end & HAS_WIDE) surplus += surplusIn(bytes, at, end & OFFSET)
        at = end & OFFSET
      } else if (first === 0x74 || first === 0x66 || first === 0x6e) {
        shape = first === 0x74 ? TRUE : first === 0x66 ? FALSE : NULL
        const end = literalEnd(bytes, at, first === 0x74 ? 'true' : first === 0x66 ? 'false' : 'null')
        if (end < 0) return problem(bytes, 'unexpected', -1 - end)
        at = end
      } else if (first === 0x2d || (first >= 0x30 && first <= 0x39)) {
        shape = NUMBER
        const end = numberEnd(bytes, at)
        if (end < 0) return problem(bytes, 'number', -1 - end)
        at = end
      } else {
        return problem(bytes, parent < 0 && at >= bytes.length ? 'empty' : 'unexpected', at)
      }
      cells[base + 1] = at - surplus
      count++
      cells[base + 2] = count | (shape << SHAPE_SHIFT)
    }
    // A value has ended, or an empty container is about to: close containers here.
    for (;;) {
      at = skipSpace(bytes, at)
      if (parent < 0) {
        if (at < bytes.length) return problem(bytes, 'trailing', at)
        return { text, cells, count, depth: deepest }
      }
      const next = byteAt(bytes, at)
      if (next === 0x2c) {
        at++
        break
      }
      if (next !== (inObject ? 0x7d : 0x5d)) return problem(bytes, 'unexpected', at)
      at++
      const third = parent * 3 + 2
      const outer = ((cells[third] as number) & MAX_NODES) - 1
      cells[third - 1] = at - surplus
      cells[third] = count | ((inObject ? OBJECT : ARRAY) << SHAPE_SHIFT)
      parent = outer
      depth--
      inObject = outer >= 0 && (cells[outer * 3 + 2] as number) >>> SHAPE_SHIFT === OBJECT
    }
  }
}

/**
 * Scans JSON tokens in UTF-8 bytes; each function returns the end of a token. A negative result -1-n means that the byte at n is wrong.
 * Input is limited to MAX_BYTES, so that the higher bits of a string's end can hold flags.
 */
const MAX_BYTES = 0x1000_0000
const OFFSET = 0x1fff_ffff
/** The string contains a backslash, so its value differs from its source. */
const HAS_ESCAPE = 0x2000_0000
/** The string contains characters of several bytes, so offsets in bytes and in text differ. */
const HAS_WIDE = 0x4000_0000

/** Byte at `at`, 0 beyond the end: JSON allows a zero byte nowhere, so callers treat the end as a wrong byte. */
const byteAt = (bytes: Uint8Array, at: number): number => (at < bytes.length ? (bytes[at] as number) : 0)

function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from
  for (;;) {
    const c = byteAt(bytes, at)
    // Nearly all bytes are greater than a space, so the first comparison decides.
    if (c > 0x20 || (c !== 0x20 && c !== 0x0a && c !== 0x0d && c !== 0x09)) return at
    at++
  }
}

const isHex = (c: number): boolean =>
  (c >= 0x30 && c <= 0x39) || (c >= 0x41 && c <= 0x46) || (c >= 0x61 && c <= 0x66)

/** Characters allowed after a backslash, except `u`. */
const ESCAPES: ReadonlySet<number> = new Set([...'"\\/bfnrt'].map((letter) => letter.charCodeAt(0)))

function escapeEnd(bytes: Uint8Array, at: number): number {
  const letter = byteAt(bytes, at + 1)
  if (ESCAPES.has(letter)) return at + 2
  if (letter !== 0x75) return -1 - (at + 1)
  for (let digit = at + 2; digit < at + 6; digit++) if (!isHex(byteAt(bytes, digit))) return -1 - digit
  return at + 6
}

/** @param from offset after the opening quote @returns offset after the closing quote, combined with HAS_ESCAPE and HAS_WIDE */
function stringEnd(bytes: Uint8Array, from: number): number {
  let at = from
  let flags = 0
  for (;;) {
    const c = byteAt(bytes, at)
    if (c === 0x22) return (at + 1) | flags
    if (c === 0x5c) {
      flags |= HAS_ESCAPE
      at = escapeEnd(bytes, at)
      if (at < 0) return at
    } else {
      if (c < 0x20) return -1 - at
      if (c >= 0x80) flags |= HAS_WIDE
      at++
    }
  }
}

/** Number of bytes minus number of UTF-16 units between two offsets of valid UTF-8. */
function surplusIn(bytes: Uint8Array, from: number, to: number): number {
  let surplus = 0
  for (let at = from; at < to; at++) {
    const c = byteAt(bytes, at)
    // Two or three bytes make one unit, four bytes make two.
    if (c >= 0xe0) surplus += 2
    else if (c >= 0xc0) surplus += 1
  }
  return surplus
}

function digitsEnd(bytes: Uint8Array, from: number): number {
  let at = from
  for (;;) {
    const c = byteAt(bytes, at)
    if (c < 0x30 || c > 0x39) return at === from ? -1 - at : at
    at++
  }
}

function numberEnd(bytes: Uint8Array, from: number): number {
  let at = byteAt(bytes, from) === 0x2d ? from + 1 : from
  at = byteAt(bytes, at) === 0x30 ? at + 1 : digitsEnd(bytes, at)
  if (at < 0) return at
  if (byteAt(bytes, at) === 0x2e) {
    at = digitsEnd(bytes, at + 1)
    if (at < 0) return at
  }
  const exponent = byteAt(bytes, at)
  if (exponent !== 0x65 && exponent !== 0x45) return at
  const sign = byteAt(bytes, at + 1)
  return digitsEnd(bytes, sign === 0x2b || sign === 0x2d ? at + 2 : at + 1)
}

function literalEnd(bytes: Uint8Array, from: number, word: string): number {
  for (let i = 1; i < word.length; i++)
    if (byteAt(bytes, from + i) !== word.charCodeAt(i)) return -1 - (from + i)
  return from + word.length
}

export interface Place {
  readonly line: number
  readonly column: number
}

/** Finds lines and columns; LF, CR LF and a lone CR end a line. Offsets in ascending order cost one pass over the text. */
export function placeFinder(text: string): (offset: number) => Place {
  let at = 0
  let line = 1
  let lineStart = 0
  return (offset) => {
    if (offset < at) {
      at = 0
      line = 1
      lineStart = 0
    }
    for (; at < offset; at++) {
      const c = text.charCodeAt(at)
      if (c === 0x0a || (c === 0x0d && text.charCodeAt(at + 1) !== 0x0a)) {
        line++
        lineStart = at + 1
      }
    }
    return { line, column: offset - lineStart + 1 }
  }
}

/**
 * Scans JSON tokens in UTF-8 bytes; each function returns the end of a token. A negative result -1-n means that the byte at n is wrong.
 * Input is limited to MAX_BYTES, so that the higher bits of a string's end can hold flags.
 */
export const MAX_BYTES = 0x1000_0000
export const OFFSET = 0x1fff_ffff
/** The string contains a backslash, so its value differs from its source. */
export const HAS_ESCAPE = 0x2000_0000
/** The string contains characters of several bytes, so offsets in bytes and in text differ. */
export const HAS_WIDE = 0x4000_0000

/** Byte at `at`, 0 beyond the end: JSON allows a zero byte nowhere, so callers treat the end as a wrong byte. */
export const byteAt = (bytes: Uint8Array, at: number): number =>
  at < bytes.length ? (bytes[at] as number) : 0

export function skipSpace(bytes: Uint8Array, from: number): number {
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
export function stringEnd(bytes: Uint8Array, from: number): number {
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
export function surplusIn(bytes: Uint8Array, from: number, to: number): number {
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

export function numberEnd(bytes: Uint8Array, from: number): number {
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

export function literalEnd(bytes: Uint8Array, from: number, word: string): number {
  for (let i = 1; i < word.length; i++)
    if (byteAt(bytes, from + i) !== word.charCodeAt(i)) return -1 - (from + i)
  return from + word.length
}

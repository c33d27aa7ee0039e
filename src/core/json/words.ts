/**
 * The words of JSON, each as "where does it end". A negative answer -1-n says that the character at offset n is the wrong one.
 * V8 strings stay below 2^29 characters, so that bit 29 is free to say "holds an escape" beside an offset.
 */
export const HAS_ESCAPE = 0x2000_0000
export const OFFSET = 0x1fff_ffff

export function skipSpace(text: string, from: number): number {
  let at = from
  for (;;) {
    const c = text.charCodeAt(at)
    // Almost every character is no space: one comparison decides it. NaN, behind the end, fails it too.
    if (!(c <= 0x20)) return at
    if (c !== 0x20 && c !== 0x0a && c !== 0x0d && c !== 0x09) return at
    at++
  }
}

const isHex = (c: number): boolean =>
  (c >= 0x30 && c <= 0x39) || (c >= 0x41 && c <= 0x46) || (c >= 0x61 && c <= 0x66)

/** Offset behind an escape whose backslash stands at `at`. */
function escapeEnd(text: string, at: number): number {
  switch (text.charCodeAt(at + 1)) {
    case 0x22:
    case 0x5c:
    case 0x2f:
    case 0x62:
    case 0x66:
    case 0x6e:
    case 0x72:
    case 0x74:
      return at + 2
    case 0x75:
      for (let digit = at + 2; digit < at + 6; digit++) if (!isHex(text.charCodeAt(digit))) return -1 - digit
      return at + 6
    default:
      return -1 - (at + 1)
  }
}

/** @param from behind the opening quote. @returns offset behind the closing quote, with HAS_ESCAPE when a backslash stands between */
export function stringEnd(text: string, from: number): number {
  let at = from
  let flag = 0
  for (;;) {
    const c = text.charCodeAt(at)
    if (c === 0x22) return (at + 1) | flag
    if (c === 0x5c) {
      flag = HAS_ESCAPE
      at = escapeEnd(text, at)
      if (at < 0) return at
    } else if (c >= 0x20) at++
    else return -1 - at
  }
}

function digitsEnd(text: string, from: number): number {
  let at = from
  for (;;) {
    const c = text.charCodeAt(at)
    if (!(c >= 0x30 && c <= 0x39)) return at === from ? -1 - at : at
    at++
  }
}

/** @param from at the minus or the first digit */
export function numberEnd(text: string, from: number): number {
  let at = text.charCodeAt(from) === 0x2d ? from + 1 : from
  at = text.charCodeAt(at) === 0x30 ? at + 1 : digitsEnd(text, at)
  if (at < 0) return at
  if (text.charCodeAt(at) === 0x2e) {
    at = digitsEnd(text, at + 1)
    if (at < 0) return at
  }
  const exponent = text.charCodeAt(at)
  if (exponent !== 0x65 && exponent !== 0x45) return at
  const sign = text.charCodeAt(at + 1)
  return digitsEnd(text, sign === 0x2b || sign === 0x2d ? at + 2 : at + 1)
}

export function literalEnd(text: string, from: number, word: string): number {
  if (text.startsWith(word, from)) return from + word.length
  let at = 1
  while (text.charCodeAt(from + at) === word.charCodeAt(at)) at++
  return -1 - (from + at)
}

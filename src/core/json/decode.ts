/** `bytes` excludes the byte-order mark; `byteOffset` counts bytes; `before` is the readable text in front of the bad byte. */
export type Decoded =
  | { readonly text: string; readonly bytes: Uint8Array; readonly bom: boolean }
  | {
      readonly problem: 'not-utf8'
      readonly byteOffset: number
      readonly byte: number
      readonly before: string
    }
  | { readonly problem: 'other-encoding'; readonly encoding: string }
  | { readonly problem: 'too-large'; readonly limit: number }

/** V8 strings hold at most 2^29 characters; the limit is half of that, so that text and tree fit in memory together. */
export const MAX_TEXT_BYTES = 256 * 1024 * 1024

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** How JSON begins: white space, a container, a text, a number or a word. */
const BEGINNINGS: ReadonlySet<number | undefined> = new Set(
  new TextEncoder().encode('\t\n\r {["-0123456789tfn'),
)

/** Detects encodings that JSON once allowed, by byte-order mark or by the zero bytes around two ASCII characters (RFC 4627, section 3). */
function otherEncoding(bytes: Uint8Array): string | undefined {
  const [a, b, c, d] = bytes
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 ? 'UTF-32LE' : 'UTF-16LE'
  if (a === 0xfe && b === 0xff) return 'UTF-16BE'
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return 'UTF-32BE'
  if (a === 0 && b === 0 && c === 0) return BEGINNINGS.has(d) ? 'UTF-32BE' : undefined
  if (b === 0 && BEGINNINGS.has(a)) return c === 0 && d === 0 ? 'UTF-32LE' : d ? undefined : 'UTF-16LE'
  return a === 0 && BEGINNINGS.has(b) && !c ? 'UTF-16BE' : undefined
}

export function decodeText(bytes: Uint8Array): Decoded {
  if (bytes.length > MAX_TEXT_BYTES) return { problem: 'too-large', limit: MAX_TEXT_BYTES }
  const encoding = otherEncoding(bytes)
  if (encoding !== undefined) return { problem: 'other-encoding', encoding }
  try {
    const bom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
    const rest = bom ? bytes.subarray(3) : bytes
    return { text: strict.decode(rest), bytes: rest, bom }
  } catch {
    const byteOffset = firstBadByte(bytes)
    const from = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
    const before = strict.decode(bytes.subarray(from, byteOffset))
    return { problem: 'not-utf8', byteOffset, byte: bytes[byteOffset] ?? 0, before }
  }
}

/** Length of the valid UTF-8 sequence at `at`; 0 for none (Unicode, table 3-7: no overlong forms, no surrogates). */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0
  if (lead < 0x80) return 1
  const length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0
  if (length === 0) return 0
  const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80
  const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf
  const second = bytes[at + 1] ?? 0
  if (second < low || second > high) return 0
  for (let i = 2; i < length; i++) if (((bytes[at + i] ?? 0) & 0xc0) !== 0x80) return 0
  return length
}

function firstBadByte(bytes: Uint8Array): number {
  let at = 0
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at)
    if (length === 0) break
    at += length
  }
  return at
}

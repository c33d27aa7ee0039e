import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'

type Pieces = AsyncIterable<Uint8Array>

/** Bytes that decide a file's format. */
const HEAD = 64 * 1_024

export async function beginning(pieces: Pieces): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const piece of pieces) {
    parts.push(piece)
    size += piece.length
    if (size >= HEAD) break
  }
  return Buffer.concat(parts).subarray(0, HEAD)
}

/** Bytes that a gzip file may unpack to. */
export const MOST_UNPACKED = 64 * 1024 ** 3

/** Unpacks gzip. @throws Error where it is damaged; RangeError when it unpacks to more than `most` bytes */
export async function* unpacked(pieces: Pieces, most = MOST_UNPACKED): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip()
  // The reader of the gunzip gets the error too.
  pipeline(Readable.from(pieces), gunzip).catch(() => undefined)
  let size = 0
  for await (const piece of gunzip) {
    size += piece.length
    if (size > most) throw new RangeError()
    yield piece
  }
}

/** Writes UTF-16 as UTF-8. */
export async function* asUtf8(pieces: Pieces, encoding: 'utf-16le' | 'utf-16be'): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding)
  for await (const piece of pieces) yield Buffer.from(decoder.decode(piece, { stream: true }))
  yield Buffer.from(decoder.decode())
}

/** Larger records are refused instead of held in memory. */
export const MOST_RECORD = 256 * 1024 * 1024

const LINE_FEED = 10

/** Splits pieces into lines without their ends, whatever the lengths of the pieces. */
export async function* lines(pieces: Pieces): AsyncGenerator<Buffer | null> {
  let held: Uint8Array[] = []
  let size = 0
  const line = (): Buffer | null => {
    const bytes = size > MOST_RECORD ? null : Buffer.concat(held)
    held = []
    size = 0
    return bytes
  }
  const hold = (part: Uint8Array) => {
    size += part.length
    // The rest of a line that is too long is only counted.
    if (size <= MOST_RECORD) held.push(part)
    else held = []
  }
  for await (const piece of pieces) {
    let from = 0
    for (let end = piece.indexOf(LINE_FEED); end >= 0; end = piece.indexOf(LINE_FEED, from)) {
      hold(piece.subarray(from, end))
      yield line()
      from = end + 1
    }
    hold(Uint8Array.from(piece.subarray(from)))
  }
  if (size > 0) yield line()
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN = new Set([0x7b, 0x5b])
const CLOSE = new Set([0x7d, 0x5d])
const BLANK = new Set([0x20, 0x09, 0x0a, 0x0d])
const COMMA = 0x2c

/**
 * The elements of the list `entries` in the object `log` of a HAR, as their bytes, one at a time: such files may be larger than memory.
 * Ends early where the text stops being JSON.
 * @returns whether the list was found, and ended
 */
export async function* entriesOf(
  pieces: Pieces,
): AsyncGenerator<Uint8Array | null, 'complete' | 'cut' | 'none'> {
  const keys: string[] = []
  let key: number[] = []
  let depth = 0
  let text = false
  let escaped = false
  let inside = false
  let parts: Uint8Array[] = []
  let size = 0
  let started = false
  for await (const piece of pieces) {
    let from = inside && started ? 0 : -1
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at] ?? 0
      if (text) {
        if (escaped) escaped = false
        else if (byte === BACKSLASH) escaped = true
        else if (byte === QUOTE) {
          text = false
          if (!inside && depth <= 2) keys[depth] = Buffer.from(key).toString()
        } else if (!inside && depth <= 2 && key.length < 20) key.push(byte)
        continue
      }
      if (byte === QUOTE) {
        text = true
        key = []
      }
      if (!inside) {
        if (OPEN.has(byte)) {
          depth += 1
          if (byte === 0x5b && depth === 3 && keys[1] === 'log' && keys[2] === 'entries') inside = true
        } else if (CLOSE.has(byte)) depth -= 1
        continue
      }
      const closes = CLOSE.has(byte)
      if (depth === 3 && (byte === COMMA || closes)) {
        if (started) {
          if (from >= 0) parts.push(piece.subarray(from, at))
          yield size + at - Math.max(0, from) > MOST_RECORD ? null : Buffer.concat(parts)
        }
        parts = []
        size = 0
        started = false
        from = -1
        if (closes) return 'complete'
        continue
      }
      if (!started && !BLANK.has(byte)) {
        started = true
        from = at
      }
      if (OPEN.has(byte)) depth += 1
      else if (closes) depth -= 1
    }
    if (started && from >= 0) {
      size += piece.length - from
      if (size <= MOST_RECORD) parts.push(Uint8Array.from(piece.subarray(from)))
      else parts = []
    }
  }
  return inside ? 'cut' : 'none'
}

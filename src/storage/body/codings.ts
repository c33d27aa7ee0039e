import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import { words } from '../files.ts'

/** The most bytes a body may decode to: a few hundred bytes of brotli can stand for gigabytes. */
export const DECODED_LIMIT = 100 * 1024 * 1024
/** Nobody sends more layers in earnest, and each may multiply the work a thousandfold. */
const LAYERS = 4

export type Decoded =
  | { readonly bytes: Buffer }
  | { readonly undecodable: { readonly coding: string; readonly reason: string } }

/** Content-Encoding codings in the order in which they were applied, outermost last; `identity` says nothing and is left out. */
export function codingsOf(headers: readonly string[]): string[] {
  const codings: string[] = []
  for (let i = 0; i + 1 < headers.length; i += 2) {
    if (headers[i]?.toLowerCase() !== 'content-encoding') continue
    for (const part of (headers[i + 1] ?? '').split(',')) {
      const coding = part.trim().toLowerCase()
      if (coding !== '' && coding !== 'identity') codings.push(coding)
    }
  }
  return codings
}

/** Undoes the codings within the limits. Never throws. */
export function decodeBody(body: Buffer, codings: readonly string[], limit = DECODED_LIMIT): Decoded {
  if (codings.length > LAYERS)
    return { undecodable: { coding: codings.join(', '), reason: `more than ${LAYERS} codings` } }
  let bytes = body
  for (const coding of codings.toReversed()) {
    const undo = UNDO[coding]
    if (!undo) return { undecodable: { coding, reason: 'unknown coding' } }
    try {
      bytes = undo(bytes, limit)
    } catch (error) {
      const tooLong = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
      return {
        undecodable: { coding, reason: tooLong ? `decodes to more than ${limit} bytes` : words(error) },
      }
    }
  }
  return { bytes }
}

type Undo = (bytes: Buffer, maxOutputLength: number) => Buffer
const gunzip: Undo = (bytes, maxOutputLength) => gunzipSync(bytes, { maxOutputLength })

const UNDO: Readonly<Record<string, Undo | undefined>> = Object.assign(Object.create(null), {
  gzip: gunzip,
  'x-gzip': gunzip,
  deflate: inflate,
  br: (bytes, maxOutputLength) => brotliDecompressSync(bytes, { maxOutputLength }),
  zstd: (bytes, maxOutputLength) => zstdDecompressSync(bytes, { maxOutputLength }),
} satisfies Record<string, Undo>)

/** "deflate" means the zlib format (RFC 9110), but many senders leave its two header bytes out. */
function inflate(bytes: Buffer, maxOutputLength: number): Buffer {
  const wrapped = ((bytes[0] ?? 0) & 0x0f) === 8 && bytes.length >= 2 && bytes.readUInt16BE(0) % 31 === 0
  return wrapped ? inflateSync(bytes, { maxOutputLength }) : inflateRawSync(bytes, { maxOutputLength })
}

import { pipeline, type Transform } from 'node:stream'
import * as zlib from 'node:zlib'
import type { BodySlice } from '#contract/delivery.ts'
import { pairsOf } from '#contract/headers.ts'
import { words } from '../disk/files.ts'

/** Largest decoded body in bytes, for checks and searches: a few hundred bytes of brotli can decode to gigabytes. */
export const DECODED_LIMIT = 10 * 1024 * 1024
/** Largest decoded body in bytes when it is read piece by piece. */
export const VIEWED_LIMIT = 100 * 1024 * 1024
/** Limit of codings: senders use one, rarely two, and each may multiply the work a thousandfold. */
const LAYERS = 4
const PIECE = 256 * 1024
/** RFC 9659 limits a sender's window to 8 MiB. Otherwise the body could make the decoder allocate up to 128 MiB. */
const ZSTD = { params: { [zlib.constants.ZSTD_d_windowLogMax]: 23 } }

export type Decoded = { readonly bytes: Buffer } | NotDecoded
export type NotDecoded =
  | { readonly tooLarge: { readonly coding: string; readonly limit: number } }
  | { readonly undecodable: { readonly coding: string; readonly reason: string } }

/** Codings of Content-Encoding in the order of their application, outermost last, without `identity`. */
export function codingsOf(headers: readonly string[]): string[] {
  const codings: string[] = []
  for (const [name, value] of pairsOf(headers))
    if (name.toLowerCase() === 'content-encoding')
      // No spread: a header may list more codings than a call takes arguments.
      for (const coding of value.split(',')) codings.push(coding.trim().toLowerCase())
  return codings.filter((coding) => coding !== '' && coding !== 'identity')
}

/** Decodes a body within the limits. Never throws. */
export function decodeBody(body: Buffer, codings: readonly string[], limit = DECODED_LIMIT): Decoded {
  const refused = refusalOf(codings)
  if (refused) return refused
  let bytes = body
  for (const coding of codings.toReversed()) {
    try {
      bytes = wholeOf(coding, bytes, limit)
    } catch (error) {
      if (isTooLarge(error)) return { tooLarge: { coding, limit } }
      return { undecodable: { coding, reason: words(error) } }
    }
  }
  return { bytes }
}

/** Decodes into a small buffer first, which suffices for most bodies, and only else into a large one. */
function wholeOf(coding: string, bytes: Buffer, limit: number): Buffer {
  const coder = CODERS[coding]
  if (!coder) return bytes
  try {
    return coder.whole(bytes, Math.min(limit, PIECE))
  } catch (error) {
    if (limit <= PIECE || !isTooLarge(error)) throw error
    return coder.whole(bytes, limit)
  }
}

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'

export class DecodingFailure extends Error {
  readonly why: NotDecoded
  constructor(why: NotDecoded) {
    super('The body cannot be decoded.')
    this.why = why
  }
}

/** Decodes piece by piece on Node's thread pool, in a few MiB of memory for any size. @throws DecodingFailure */
export async function* decodedPieces(
  body: Iterable<Buffer>,
  codings: readonly string[],
  limit = VIEWED_LIMIT,
): AsyncGenerator<Buffer> {
  const refused = refusalOf(codings)
  if (refused) throw new DecodingFailure(refused)
  let pieces: AsyncIterable<Buffer> | Iterable<Buffer> = body
  for (const coding of codings.toReversed()) pieces = layer(pieces, coding, limit)
  yield* pieces
}

async function* layer(
  body: AsyncIterable<Buffer> | Iterable<Buffer>,
  coding: string,
  limit: number,
): AsyncGenerator<Buffer> {
  let decoder: Transform | undefined
  let size = 0
  async function* fed(source: AsyncIterator<Buffer> | Iterator<Buffer>, first: Buffer) {
    try {
      yield first
      for (let next = await source.next(); !next.done; next = await source.next()) yield next.value
    } finally {
      await source.return?.()
    }
  }
  try {
    const source = Symbol.asyncIterator in body ? body[Symbol.asyncIterator]() : body[Symbol.iterator]()
    const first = await source.next()
    const begin: Buffer = first.done ? Buffer.alloc(0) : first.value
    decoder = CODERS[coding]?.pieces(begin)
    if (!decoder) return
    // The iteration below throws the pipeline's errors.
    pipeline(fed(source, begin), decoder, () => {})
    for await (const piece of decoder as AsyncIterable<Buffer>) {
      size += piece.length
      if (size > limit) throw new DecodingFailure({ tooLarge: { coding, limit } })
      yield piece
    }
  } catch (error) {
    if (error instanceof DecodingFailure) throw error
    throw new DecodingFailure({ undecodable: { coding, reason: words(error) } })
  }
}

function refusalOf(codings: readonly string[]): NotDecoded | undefined {
  if (codings.length > LAYERS)
    return { undecodable: { coding: codings.join(', '), reason: `more than ${LAYERS} codings` } }
  const unknown = codings.findLast((coding) => !CODERS[coding])
  return unknown === undefined ? undefined : { undecodable: { coding: unknown, reason: 'unknown coding' } }
}

/** One large buffer: the system commits only pages that are written, while joining small buffers would take twice the memory. */
const room = (maxOutputLength: number) =>
  maxOutputLength > PIECE ? { maxOutputLength, chunkSize: maxOutputLength + 1 } : { maxOutputLength }

interface Coder {
  whole(bytes: Buffer, maxOutputLength: number): Buffer
  /** @param begin first encoded bytes */
  pieces(begin: Buffer): Transform
}

type Whole = (bytes: Buffer, options: zlib.ZlibOptions & zlib.ZstdOptions) => Buffer
type Pieces = (options: zlib.ZlibOptions & zlib.ZstdOptions) => Transform
const coder = (whole: Whole, pieces: Pieces, options = {}): Coder => ({
  whole: (bytes, maxOutputLength) => whole(bytes, { ...options, ...room(maxOutputLength) }),
  pieces: () => pieces({ ...options, chunkSize: PIECE }),
})
const gzip = coder(zlib.gunzipSync, zlib.createGunzip)
const wrapped = coder(zlib.inflateSync, zlib.createInflate)
const bare = coder(zlib.inflateRawSync, zlib.createInflateRaw)

const CODERS: Readonly<Record<string, Coder | undefined>> = Object.assign(Object.create(null), {
  gzip,
  'x-gzip': gzip,
  deflate: {
    whole: (bytes, most) => (isWrapped(bytes) ? wrapped : bare).whole(bytes, most),
    pieces: (begin) => (isWrapped(begin) ? wrapped : bare).pieces(begin),
  },
  br: coder(zlib.brotliDecompressSync, zlib.createBrotliDecompress),
  zstd: coder(zlib.zstdDecompressSync, zlib.createZstdDecompress, ZSTD),
} satisfies Record<string, Coder>)

/** "deflate" means the zlib format (RFC 9110), but many senders omit its two header bytes. */
const isWrapped = (bytes: Buffer): boolean =>
  ((bytes[0] ?? 0) & 0x0f) === 8 && bytes.length >= 2 && bytes.readUInt16BE(0) % 31 === 0

/** Bytes of a decoded body to cache: enough for a whole ordinary body, so that it is decoded once. */
const KEPT_BYTES = 1024 * 1024
/** How long a decoder stays open, so that reading on need not begin anew. */
const KEPT_MS = 10_000

export interface CodedBody {
  readonly id: number
  readonly codings: readonly string[]
  pieces(): Iterable<Buffer>
}

/** The open body: its decoded length, its first bytes, and the position of its decoder. */
interface Open {
  readonly id: number
  readonly total: number
  readonly begin: Buffer
  readonly problem: string | null
  at: number
  rest: Buffer
  pieces: AsyncGenerator<Buffer> | undefined
}

/** Reads slices of decoded bodies, one body at a time. Reading forward continues the decoder; only reading backward restarts it. */
export class DecodedView {
  #open: Open | undefined
  #release: NodeJS.Timeout | undefined
  #turn: Promise<unknown> = Promise.resolve()

  slice(body: CodedBody, from: number, length: number): Promise<BodySlice> {
    const read = this.#turn.then(() => this.#read(body, from, length))
    this.#turn = read.catch(() => undefined)
    return read
  }

  close(): void {
    clearTimeout(this.#release)
    void this.#open?.pieces?.return(undefined)
    this.#open = undefined
  }

  async #read(body: CodedBody, from: number, length: number): Promise<BodySlice> {
    clearTimeout(this.#release)
    if (this.#open?.id !== body.id) {
      this.close()
      this.#open = await opened(body)
    }
    const open = this.#open
    this.#release = setTimeout(() => this.close(), KEPT_MS).unref()
    const { total, problem, begin } = open
    const to = Math.min(from + length, total)
    const bytes = to <= begin.length ? begin.subarray(from, to) : await taken(open, body, from, to)
    // `close` ran meanwhile.
    if (this.#open !== open) void open.pieces?.return(undefined)
    return { bytesBase64: bytes.toString('base64'), total, problem }
  }
}

async function opened({ id, codings, pieces }: CodedBody): Promise<Open> {
  const kept: Buffer[] = []
  let total = 0
  let problem: string | null = null
  try {
    for await (const piece of decodedPieces(pieces(), codings)) {
      if (total < KEPT_BYTES) kept.push(piece)
      total += piece.length
    }
  } catch (error) {
    if (!(error instanceof DecodingFailure)) throw error
    problem = wordsOf(error.why)
    total = 0
  }
  const begin = Buffer.concat(kept).subarray(0, Math.min(total, KEPT_BYTES))
  return { id, total, begin, problem, at: 0, rest: Buffer.alloc(0), pieces: undefined }
}

async function taken(open: Open, body: CodedBody, from: number, to: number): Promise<Buffer> {
  if (!open.pieces || open.at > from) {
    await open.pieces?.return(undefined)
    open.pieces = decodedPieces(body.pieces(), body.codings)
    open.at = 0
    open.rest = Buffer.alloc(0)
  }
  const slice = Buffer.alloc(to - from)
  while (open.at < to) {
    if (open.rest.length === 0) {
      const next = await open.pieces.next()
      if (next.done) break
      open.rest = next.value
    }
    const used = Math.min(open.rest.length, to - open.at)
    if (open.at + used > from)
      open.rest.copy(slice, Math.max(0, open.at - from), Math.max(0, from - open.at), used)
    open.at += used
    open.rest = open.rest.subarray(used)
  }
  return slice.subarray(0, Math.max(0, open.at - from))
}

function wordsOf(why: NotDecoded): string {
  if ('tooLarge' in why) return `${why.tooLarge.coding}: decodes to more than ${why.tooLarge.limit} bytes`
  return `${why.undecodable.coding}: ${why.undecodable.reason}`
}

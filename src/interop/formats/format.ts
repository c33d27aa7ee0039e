import type { MaskedDelivery } from '../records.ts'

export interface WriteOptions {
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly version: string
  /** For formats whose bodies are optional. */
  readonly bodies: boolean
  /** Columns of a table; undefined: the default ones. */
  readonly columns?: readonly string[] | undefined
  /** Origin that commands and fixtures send to; null: the host that each delivery names. */
  readonly base: string | null
}

export type Deliveries = AsyncIterable<MaskedDelivery>
export type Pieces = AsyncIterable<string | Uint8Array>

/** A format of export: from deliveries, one at a time, to pieces of a file. */
export interface Format {
  readonly extension: string
  readonly mediaType: string
  /** Whether the file has bodies; without, none is masked, and sizes stay as received. Default: it has. */
  readonly hasBodies?: (options: Pick<WriteOptions, 'bodies'>) => boolean
  write(deliveries: Deliveries, options: WriteOptions): Pieces
}

/** A format with one piece per delivery, and a fixed beginning and end. */
export const each = (
  piece: (delivery: MaskedDelivery, options: WriteOptions, index: number) => string,
  begin: (options: WriteOptions) => string = () => '',
  end: (options: WriteOptions) => string = () => '',
): Format['write'] =>
  async function* write(deliveries, options) {
    yield begin(options)
    let index = 0
    for await (const delivery of deliveries) yield piece(delivery, options, index++)
    yield end(options)
  }

/** Pieces joined to this size: few messages between threads. As base64 it is no large object of V8 (128 KiB), so a short collection frees it. */
export const PIECE = 64 * 1024
/** Longest time for one message: meanwhile the thread serves no other export, and a stop has to wait. */
const PIECE_MS = 100

/** Joins small pieces; passes large ones on, and what there is after a while. Each has memory of its own, to transfer. */
export async function* joined(pieces: Pieces): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  // Always of the same size, however little is in it: memory of many sizes leaves gaps.
  let held = Buffer.allocUnsafeSlow(PIECE)
  let size = 0
  let began = performance.now()
  for await (const piece of pieces) {
    const bytes = Buffer.byteLength(piece)
    if (size > 0 && (size + bytes > PIECE || performance.now() - began > PIECE_MS)) {
      yield held.subarray(0, size)
      held = Buffer.allocUnsafeSlow(PIECE)
      size = 0
      began = performance.now()
    }
    if (bytes > PIECE) yield Uint8Array.from(typeof piece === 'string' ? Buffer.from(piece) : piece)
    else if (typeof piece === 'string') size += held.write(piece, size)
    else {
      held.set(piece, size)
      size += bytes
    }
  }
  if (size > 0) yield held.subarray(0, size)
}

/** The URL that the sender asked for, as far as the request tells. */
export function urlOf({ detail }: MaskedDelivery, base: string | null): string {
  const host = detail.headers.find(({ name }) => name.toLowerCase() === 'host')?.value || 'localhost'
  const { origin } = URL.parse(base ?? `http://${host}`) ?? { origin: 'http://localhost' }
  return origin + (detail.url.startsWith('/') ? '' : '/') + encoded(detail.url)
}

/** Encodes what RFC 3986 allows in no path or query; a sender may have sent it nevertheless. */
const encoded = (target: string): string =>
  target
    .toWellFormed()
    .replace(/%(?![\da-f]{2})/gi, '%25')
    .replace(/[^\w.~:/?@!$&'()*+,;=%-]/gu, encodeURIComponent)

/** Headers of the connection, which each sender of a request sets itself. */
const FRAMING: ReadonlySet<string> = new Set(
  'host content-length transfer-encoding connection keep-alive proxy-connection expect te trailer upgrade'.split(
    ' ',
  ),
)
export const ownHeaders = ({ detail }: MaskedDelivery) =>
  detail.headers.filter(({ name }) => !FRAMING.has(name.toLowerCase()))

/** A file name for one delivery: its id, and its kind where it has one. */
export const nameOf = ({ detail }: MaskedDelivery): string =>
  `${String(detail.id).padStart(9, '0')}${detail.kind === null ? '' : `-${detail.kind}`}`

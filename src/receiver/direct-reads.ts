import type { Socket } from 'node:net'

/** Reads that Node's parser makes itself. */
export interface DirectReads {
  /** The first byte of a head. */
  headBegan(): void
  /** The end of each read. @param size in bytes; null: the parser failed in them */
  read(size: number | null): void
}

interface Parser {
  [hook: number]: unknown
  readonly incoming: { readonly upgrade: boolean } | null
  /** Whether it reads by itself. */
  readonly _consumed: boolean
  /** @returns number of bytes parsed, or an error */
  execute(bytes: Buffer): unknown
  /** A copy of the bytes that are being parsed. */
  getCurrentBuffer(): Buffer
}

/** Node has no public access to its parser. Without these hooks, `watchReads` returns null. */
const { onMessageBegin, onExecute } = hooks()

/**
 * Watches a connection whose bytes Node's parser takes directly from the system. A listener for the socket's data would end that and cost a
 * fifth of the receiver's work: a stream event and 64 KiB of memory per read.
 * @returns the function that copies the bytes of the current read; null when the parser does not read directly
 */
export function watchReads(socket: Socket, reads: DirectReads): (() => Buffer) | null {
  const parser = 'parser' in socket && isParser(socket.parser) ? socket.parser : null
  if (!parser) return null
  parseWhole(parser)
  const execute = parser[onExecute]
  if (!parser._consumed || typeof execute !== 'function') return null
  let before = 0
  parser[onMessageBegin] = () => reads.headBegan()
  parser[onExecute] = (parsed: unknown) => {
    const { bytesRead } = socket
    const left = typeof parsed === 'number' && parsed < bytesRead - before && !parser.incoming?.upgrade
    before = bytesRead
    const result = left ? parser.execute(parser.getCurrentBuffer().subarray(parsed)) : parsed
    const whole = left && typeof result === 'number' ? parsed + result : result
    reads.read(typeof whole === 'number' ? whole : null)
    execute(whole)
  }
  return () => parser.getCurrentBuffer()
}

/** Node uses its parsers again for other connections. */
const whole = new WeakSet<Parser>()

/** Node's parser stops behind a request with `Upgrade`. Node then drops the bytes behind it, although this server upgrades no connection. */
function parseWhole(parser: Parser): void {
  if (whole.has(parser)) return
  whole.add(parser)
  const { execute } = parser
  parser.execute = (bytes) => {
    for (let parsed = 0; ; ) {
      const result = execute.call(parser, bytes.subarray(parsed))
      if (typeof result !== 'number') return result
      parsed += result
      if (result === 0 || parsed >= bytes.length || parser.incoming?.upgrade) return parsed
    }
  }
}

function isParser(value: unknown): value is Parser {
  return typeof value === 'object' && value !== null && '_consumed' in value && 'getCurrentBuffer' in value
}

function hooks() {
  const common: { HTTPParser?: Readonly<Record<string, number>> } =
    process.getBuiltinModule('node:_http_common') ?? {}
  const { kOnMessageBegin = -1, kOnExecute = -1 } = common.HTTPParser ?? {}
  return { onMessageBegin: kOnMessageBegin, onExecute: kOnExecute }
}

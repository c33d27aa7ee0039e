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
  const parser = parserOf(socket)
  const execute = parser?.[onExecute]
  if (!parser || typeof execute !== 'function') return null
  parser[onMessageBegin] = () => reads.headBegan()
  parser[onExecute] = (result: unknown) => {
    reads.read(typeof result === 'number' ? result : null)
    execute(result)
  }
  return () => parser.getCurrentBuffer()
}

function parserOf(socket: object): Parser | null {
  const parser = 'parser' in socket ? socket.parser : null
  return isParser(parser) && parser._consumed ? parser : null
}

function isParser(value: unknown): value is Parser & { readonly _consumed: boolean } {
  return typeof value === 'object' && value !== null && '_consumed' in value && 'getCurrentBuffer' in value
}

function hooks() {
  const common: { HTTPParser?: Readonly<Record<string, number>> } =
    process.getBuiltinModule('node:_http_common') ?? {}
  const { kOnMessageBegin = -1, kOnExecute = -1 } = common.HTTPParser ?? {}
  return { onMessageBegin: kOnMessageBegin, onExecute: kOnExecute }
}

import type { IncomingMessage } from 'node:http'
import type { Malformed } from '#contract/delivery.ts'
import {
  HEAD_TOO_LARGE,
  METHOD_REFUSED,
  NO_ANSWER,
  NOT_STORED,
  type ReadyAnswer,
  TOO_SLOW,
  UNPARSEABLE,
} from './answers.ts'
import type { Connection } from './connection.ts'
import type { Context } from './context.ts'
import { SIZES } from './limits.ts'
import { endpointFor } from './rules.ts'

interface Remains {
  readonly method: string
  readonly url: string
  readonly httpVersion: string
  readonly headers: readonly string[]
  readonly body: Buffer
  readonly malformed: Malformed
  /** Null when the sender has left. */
  readonly answer: ReadyAnswer | null
}

/** Stores the bytes on which Node's parser failed. A connection that ends without a byte of a request is no delivery. */
export function parserGaveUp(context: Context, connection: Connection, code: string): void {
  if (connection.failed) return
  // The parser also reports the end of the connection as an error, when the message is incomplete.
  const ended = !code.startsWith('HPE_') || code === 'HPE_INVALID_EOF_STATE'
  const slow = code === 'ERR_HTTP_REQUEST_TIMEOUT'
  if (connection.receiving) {
    connection.incoming?.breakOff(slow ? 'timeout' : ended ? 'cut-off' : 'unparseable')
    return
  }
  connection.failed = true
  const { bytes, fromStart } = connection.headBytes(slow || code.startsWith('HPE_'))
  if (bytes.length === 0) {
    connection.refuse(null, connection.next)
    return
  }
  const malformed: Malformed = slow ? 'timeout' : ended ? 'cut-off' : 'unparseable'
  const answer =
    malformed === 'cut-off'
      ? null
      : slow
        ? TOO_SLOW
        : code === 'HPE_HEADER_OVERFLOW'
          ? HEAD_TOO_LARGE
          : UNPARSEABLE
  const line = fromStart ? requestLine(bytes) : UNKNOWN_LINE
  keep(context, connection, { ...line, headers: [], body: bytes, malformed, answer })
}

/** Stores the bytes of a request that takes too much memory or time, as if Node's parser had failed. */
export function giveUp(context: Context, connection: Connection, why: 'too-large' | 'slow'): void {
  parserGaveUp(context, connection, why === 'slow' ? 'ERR_HTTP_REQUEST_TIMEOUT' : 'HPE_HEADER_OVERFLOW')
}

/** Stores plain bytes that arrived at a TLS port, and answers with a sentence for the sender. */
export function keepPlainAtTls(context: Context, connection: Connection, answer: ReadyAnswer): void {
  connection.failed = true
  const { bytes } = connection.headBytes(true)
  keep(context, connection, {
    ...requestLine(bytes),
    headers: [],
    body: bytes,
    malformed: 'unparseable',
    answer,
  })
}

/** Stores a CONNECT request and refuses it: the receiver is no proxy. @param rest bytes after its head */
export function connectAsked(
  context: Context,
  connection: Connection,
  request: IncomingMessage,
  rest: Buffer,
): void {
  connection.failed = true
  // Node has removed its listeners: without one, an error of the socket would end the process.
  connection.socket.on('error', () => {})
  connection.socket.resume()
  keep(context, connection, {
    method: request.method ?? '',
    url: request.url ?? '',
    httpVersion: request.httpVersion,
    headers: request.rawHeaders,
    body: Buffer.from(rest.subarray(0, SIZES.keptHead)),
    malformed: 'connect',
    answer: METHOD_REFUSED,
  })
}

/** Stores as malformed, not as rejected: without complete headers nobody can judge the secret. */
function keep(context: Context, connection: Connection, remains: Remains): void {
  const began = performance.now()
  const size = remains.body.length
  context.turns.storing(size)
  const stored = context.capture
    .append({
      ...remains,
      receivedAt: context.now(),
      receivingUs: 0,
      endpoint: endpointFor(context.rules(), remains.url).name,
      remoteAddress: connection.remoteAddress,
      remotePort: connection.remotePort,
      trailers: [],
      bodySize: size,
      rejected: false,
    })
    .then(
      ({ id }) => {
        context.trouble.stored()
        const reached = connection.reaches(connection.next)
        connection.refuse(remains.answer, connection.next)
        if (remains.answer === null) return
        if (reached) context.capture.answered(id, Math.round((performance.now() - began) * 1000))
        else context.capture.answered(id, null, NO_ANSWER)
      },
      (error: unknown) => {
        context.trouble.failed(error)
        connection.refuse(remains.answer && NOT_STORED, connection.next)
      },
    )
  context.track(stored.finally(() => context.turns.stored(size)))
}

const UNKNOWN_LINE = { method: '', url: '', httpVersion: '' }

function requestLine(bytes: Buffer): { method: string; url: string; httpVersion: string } {
  const end = bytes.indexOf(0x0a)
  const line = bytes.toString('latin1', 0, end === -1 ? bytes.length : end)
  const parts = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}) ([\x21-\xff]+)(?: HTTP\/(\d+\.\d+))?/.exec(line)
  return parts ? { method: parts[1] ?? '', url: parts[2] ?? '', httpVersion: parts[3] ?? '' } : UNKNOWN_LINE
}

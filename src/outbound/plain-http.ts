import { CONNECTION_HEADERS } from '#catalog/http-headers.ts'
import type { OutgoingRequest } from '#core/replay/ports.ts'
import { idleAtMost } from './answer.ts'

/** Maximum body to send together with the head; a longer one is sent in pieces, with back-pressure. */
export const TOGETHER_AT_MOST = 16 * 1024

const METHOD = /^(?!HEAD$|CONNECT$)[A-Z]+$/
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
/** Characters that node:http refuses in a header value. */
const UNSENDABLE = /[^\t\x20-\x7e\x80-\xff]/
/** Headers that affect framing or the connection, which are left to node:http. */
const FRAMING: ReadonlySet<string> = new Set(CONNECTION_HEADERS)
const FRAMING_LENGTHS: ReadonlySet<number> = new Set([...FRAMING].map((name) => name.length))
const NAMES_AT_MOST = 1_000

/** Cache of valid names, true for Content-Length: deliveries of a job share a few names. */
const known = new Map<string, boolean>()

/** Head and body of a small request as Latin-1 text, as node:http would write it; null when the request is not plain. */
export function plainRequest({ method, headers, body }: OutgoingRequest, path: string): string | null {
  if (body.size > TOGETHER_AT_MOST || headers.length % 2 !== 0 || !METHOD.test(method)) return null
  let head = `${method} ${path} HTTP/1.1\r\n`
  let framed = body.size === 0
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] ?? ''
    const value = headers[i + 1] ?? ''
    const length = known.get(name) ?? judge(name)
    if (length === null || UNSENDABLE.test(value)) return null
    if (length) {
      if (value !== String(body.size)) return null
      framed = true
    }
    head += `${name}: ${value}\r\n`
  }
  if (!framed) return null
  head += '\r\n'
  return body.size === 0 ? head : withBody(head, body)
}

/** @returns whether the name is Content-Length; null for a name that is not plain */
function judge(name: string): boolean | null {
  if (!NAME.test(name)) return null
  const lower = name.toLowerCase()
  if (FRAMING_LENGTHS.has(name.length) && FRAMING.has(lower)) return null
  if (known.size >= NAMES_AT_MOST) known.clear()
  const length = lower === 'content-length'
  known.set(name, length)
  return length
}

function withBody(head: string, body: OutgoingRequest['body']): string | null {
  let text = head
  let size = 0
  try {
    for (const piece of body.pieces()) {
      size += piece.length
      if (size > body.size) return null
      text += latin1(piece)
    }
  } catch {
    // Unreadable: node:http will read it again and report the error.
    return null
  }
  return size === body.size ? text : null
}

/** Bytes as Latin-1 text. */
export const latin1 = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('latin1')

interface Head {
  readonly text: string
  readonly status: number
  readonly statusText: string
  readonly headers: readonly string[]
  /** Bytes of the body. */
  readonly length: number
  /** Milliseconds for which the connection may be reused. */
  readonly idleAtMost: number
}

export interface PlainAnswer {
  readonly head: Head
  readonly body: Buffer
}

const STATUS =
  /^HTTP\/1\.1 ([2-5]\d\d)(?: ((?:[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?))?$/
const LINE =
  /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[\t ]*((?:[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?)$/
const LENGTH = /^\d{1,9}$/
/** Headers that change how an answer ends or whether its connection persists. */
const NOT_PLAIN: ReadonlySet<string> = new Set([
  'transfer-encoding',
  'upgrade',
  'proxy-connection',
  'trailer',
])
const EMPTY = Buffer.alloc(0)

/** Cached: a target answers the same a hundred thousand times, except for the seconds in Date. */
let last: Head | null = null

/**
 * Parses an answer that arrived in one piece and in the usual form: final status, plain headers, Content-Length (204, 304: no body).
 * @returns null for any other answer, which node:http must parse
 */
export function plainAnswer(bytes: Buffer): PlainAnswer | null {
  const end = bytes.indexOf('\r\n\r\n', 0, 'latin1')
  if (end === -1) return null
  const text = bytes.toString('latin1', 0, end)
  const head = last?.text === text ? last : readHead(text)
  if (!head || bytes.length !== end + 4 + head.length) return null
  last = head
  return { head, body: head.length === 0 ? EMPTY : bytes.subarray(end + 4) }
}

function readHead(text: string): Head | null {
  const [first = '', ...lines] = text.split('\r\n')
  const [start, code = '', statusText = ''] = STATUS.exec(first) ?? []
  if (start === undefined) return null
  const status = Number(code)
  const headers: string[] = []
  let length: number | null = status === 204 || status === 304 ? 0 : null
  for (const line of lines) {
    const [whole, name = '', value = ''] = LINE.exec(line) ?? []
    if (whole === undefined) return null
    const lower = name.toLowerCase()
    if (NOT_PLAIN.has(lower) || (lower === 'connection' && value.toLowerCase() !== 'keep-alive')) return null
    if (lower === 'content-length') {
      // A second Content-Length, or one where no body is allowed, is left to node:http.
      if (length !== null || !LENGTH.test(value)) return null
      length = Number(value)
    }
    headers.push(name, value)
  }
  return length === null
    ? null
    : { text, status, statusText, headers, length, idleAtMost: idleAtMost(headers) }
}

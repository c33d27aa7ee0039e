import { idleAtMost } from './answer.ts'

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

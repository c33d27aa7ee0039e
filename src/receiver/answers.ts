import { STATUS_CODES, validateHeaderName, validateHeaderValue } from 'node:http'
import { pairsOf } from '#contract/headers.ts'
import type { Answer } from '#contract/settings.ts'
import type { AnsweredInstead, TargetAnswer } from '#core/ports.ts'

/** An answer ready to send. `headers`: flat list of Acuse's own; Node adds connection headers, which are not stored. */
export interface ReadyAnswer {
  readonly status: number
  readonly headers: readonly string[]
  readonly body: Buffer
}

/** Recorded when the sender left before its answer. */
export const NO_ANSWER: AnsweredInstead = { by: null, answer: null }

const NOTHING = Buffer.alloc(0)
export const NO_CONTENT: Content = { headers: [], body: NOTHING }

/** Headers that only the receiver sets: a wrong Content-Length would make the sender misread the next answer. */
const FRAMING: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding', 'trailer'])

/** Headers and body of an answer, before status and framing. */
export interface Content {
  /** Flat list without framing. */
  readonly headers: readonly string[]
  readonly body: Buffer
}

/** Content of an endpoint's answer, without headers that HTTP cannot carry (a settings file edited by hand). */
export function contentOf(answer: Answer): Content {
  return { headers: answer.headers.flatMap(carried), body: Buffer.from(answer.body) }
}

/** Content of a target's answer, whose headers are untrusted. */
export function contentOfTarget({ headers, body }: TargetAnswer): Content {
  const kept = Array.from(pairsOf(headers), carried).flat()
  return { headers: kept, body: Buffer.from(body.buffer, body.byteOffset, body.byteLength) }
}

const carried = ([name, value]: readonly [name: string, value: string]): readonly string[] =>
  FRAMING.has(name.toLowerCase()) || !sendable(name, value) ? [] : [name, value]

/** Adds the framing headers that the status and body need. */
export function framed(status: number, { headers, body }: Content): ReadyAnswer {
  // RFC 9110: 204 has no Content-Length; 304 would announce the length of a body that is not sent; 205 has no body.
  if (status === 204 || status === 304) return { status, headers, body: NOTHING }
  const content = status === 205 ? NOTHING : body
  return { status, headers: [...headers, 'Content-Length', String(content.length)], body: content }
}

/** The answer to a HEAD request: the same headers, without the body. */
export function withoutBody(answer: ReadyAnswer): ReadyAnswer {
  return answer.body.length === 0 ? answer : { ...answer, body: NOTHING }
}

function sendable(name: string, value: string): boolean {
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value)
    return true
  } catch {
    return false
  }
}

const fixed = (status: number, sentence: string): ReadyAnswer =>
  framed(status, {
    headers: ['Content-Type', 'text/plain; charset=utf-8'],
    body: Buffer.from(`${sentence}\n`),
  })

const closing = (status: number, sentence: string): ReadyAnswer => {
  const answer = fixed(status, sentence)
  return { ...answer, headers: [...answer.headers, 'Connection', 'close'] }
}

/** The same body for every failure of authentication, without a hint at the cause (reliability, section 6). */
export const UNAUTHORIZED = fixed(401, 'Unauthorized')
export const DISABLED = framed(404, NO_CONTENT)
export const NOT_STORED = closing(503, 'Not stored')
export const DEFECT = fixed(500, 'Stored, but Acuse could not send the configured answer')
export const UNPARSEABLE = closing(400, 'Not an HTTP/1.1 request')
export const PLAIN_AT_TLS = closing(400, 'This port speaks HTTPS: send to https://')
export const HEAD_TOO_LARGE = closing(431, 'Headers too large')
export const METHOD_REFUSED = closing(405, 'CONNECT is not served')
export const TOO_SLOW = closing(408, 'Request too slow')
export const TOO_LARGE = closing(413, 'Body too large')
export const NO_ROOM = closing(503, 'Too many connections')
export const EXPECTATION_FAILED = closing(417, 'Expectation cannot be met')

/** The bytes of an answer, for a connection on which Node's parser has failed. */
export function wireBytes(answer: ReadyAnswer): Buffer {
  const lines = [
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}`,
    `Date: ${new Date().toUTCString()}`,
  ]
  for (const [name, value] of pairsOf(answer.headers)) lines.push(`${name}: ${value}`)
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), answer.body])
}

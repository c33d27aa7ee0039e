import { STATUS_CODES, validateHeaderName, validateHeaderValue } from 'node:http'
import { pairsOf } from '#contract/headers.ts'
import type { Answer } from '#contract/settings.ts'
import type { AnsweredInstead, TargetAnswer } from '#core/ports.ts'

/** An answer ready to be sent. `headers` are Acuse's own, flat; Node adds those of the connection, which are not kept. */
export interface ReadyAnswer {
  readonly status: number
  readonly headers: readonly string[]
  readonly body: Buffer
}

/** What became of an answer whose sender had left before it. */
export const NO_ANSWER: AnsweredInstead = { by: null, answer: null }

const NOTHING = Buffer.alloc(0)
export const NO_CONTENT: Content = { headers: [], body: NOTHING }

/** Framing is the receiver's: a Content-Length that is not the body's would make the sender read the next answer wrongly. */
const FRAMING: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding', 'trailer'])

/** What an answer says, before it has a status and framing. */
export interface Content {
  /** Flat list without framing. */
  readonly headers: readonly string[]
  readonly body: Buffer
}

/** Of an endpoint's answer. Headers that HTTP cannot carry (a settings file edited by hand) are left out. */
export function contentOf(answer: Answer): Content {
  return { headers: answer.headers.flatMap(carried), body: Buffer.from(answer.body) }
}

/** Of a target's answer, whose headers may be whatever a stranger sent. */
export function contentOfTarget({ headers, body }: TargetAnswer): Content {
  const kept = Array.from(pairsOf(headers), carried).flat()
  return { headers: kept, body: Buffer.from(body.buffer, body.byteOffset, body.byteLength) }
}

const carried = ([name, value]: readonly [name: string, value: string]): readonly string[] =>
  FRAMING.has(name.toLowerCase()) || !sendable(name, value) ? [] : [name, value]

/** An answer as it is sent, with the framing that its status and body need. */
export function framed(status: number, { headers, body }: Content): ReadyAnswer {
  // RFC 9110: 204 has no Content-Length, 304 describes a body that is not sent, 205 has none.
  if (status === 204 || status === 304) return { status, headers, body: NOTHING }
  const content = status === 205 ? NOTHING : body
  return { status, headers: [...headers, 'Content-Length', String(content.length)], body: content }
}

/** The same answer as a HEAD request gets it: told, not sent. */
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

/** One body for every way to fail, with no hint which (reliability, section 6). */
export const UNAUTHORIZED = fixed(401, 'Unauthorized')
export const DISABLED = framed(404, NO_CONTENT)
export const NOT_STORED = closing(503, 'Not stored')
export const DEFECT = fixed(500, 'Stored, but the configured answer could not be sent')
export const UNPARSEABLE = closing(400, 'Not an HTTP/1.1 request')
export const PLAIN_AT_TLS = closing(400, 'This port speaks HTTPS: send to https://')
export const HEAD_TOO_LARGE = closing(431, 'Headers too large')
export const METHOD_REFUSED = closing(405, 'CONNECT is not served')
export const TOO_SLOW = closing(408, 'Request too slow')
export const TOO_LARGE = closing(413, 'Body too large')
export const NO_ROOM = closing(503, 'Too many connections')
export const EXPECTATION_FAILED = closing(417, 'Expectation cannot be met')

/** The bytes of an answer for a connection whose HTTP layer has given up. */
export function wireBytes(answer: ReadyAnswer): Buffer {
  const lines = [
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}`,
    `Date: ${new Date().toUTCString()}`,
  ]
  for (const [name, value] of pairsOf(answer.headers)) lines.push(`${name}: ${value}`)
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), answer.body])
}

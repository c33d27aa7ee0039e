import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { bad, messageOf, Refusal } from '../domain/refusal.ts'

/** Larger than any subscription or hand-edited payload. */
const MOST_BYTES = 16 * 1024 * 1024

/** @throws Refusal 413 or 415 */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const coding = request.headers['content-encoding'] ?? 'identity'
  if (coding !== 'identity')
    throw new Refusal(415, 'unsupported-coding', 'Send the body without a Content-Encoding.')
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of request) {
    size += piece.length
    if (size > MOST_BYTES)
      throw new Refusal(413, 'too-large', `The body is longer than ${MOST_BYTES} bytes.`, {
        headers: { Connection: 'close' },
      })
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/** @throws Refusal 400 with the reason why the bytes are not JSON */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw bad('bad-json', 'The body is not valid UTF-8.')
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    throw bad('bad-json', `The body is not valid JSON: ${messageOf(error)}.`)
  }
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

import { createHash } from 'node:crypto'

/** Targets answer the same a hundred thousand times; so many short bodies are recognised. */
const REMEMBERED = 64
const SHORT = 256

/** SHA-256 over status and body, in hexadecimal, remembered for short answers. @returns a function of status and body */
export function answerDigests(): (status: number, body: Uint8Array) => string {
  const known = new Map<string, string>()
  return (status, body) => {
    if (body.byteLength > SHORT) return digestOf(status, body)
    const { buffer, byteOffset, byteLength } = body
    const key = `${status} ${byteLength === 0 ? '' : Buffer.from(buffer, byteOffset, byteLength).toString('latin1')}`
    let digest = known.get(key)
    if (digest === undefined) {
      digest = digestOf(status, body)
      if (known.size >= REMEMBERED) known.clear()
      known.set(key, digest)
    }
    return digest
  }
}

const digestOf = (status: number, body: Uint8Array): string =>
  createHash('sha256').update(`${status}\n`).update(body).digest('hex')

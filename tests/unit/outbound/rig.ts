import { onTestFinished } from 'vitest'
import type { OutgoingRequest, Sender } from '#core/replay/ports.ts'
import { bodyOf } from '#core/replay/request.ts'
import { createSender, type SenderOptions } from '#outbound/sender.ts'

/** A sender that asks no proxy, closed after the test. */
export function sender(options: SenderOptions = {}): Sender {
  const made = createSender({ environment: {}, ...options })
  onTestFinished(() => made.close())
  return made
}

/** A small request; its time-outs are long enough never to matter. */
export function outgoing(url: string, change: Partial<OutgoingRequest> = {}): OutgoingRequest {
  const body = change.body ?? bodyOf(new Uint8Array())
  return {
    method: 'POST',
    headers: ['Host', 'target.test', ...(body.size > 0 ? ['Content-Length', String(body.size)] : [])],
    timeouts: { connectMs: 10_000, answerMs: 10_000, totalMs: 20_000 },
    acceptAnyCertificate: false,
    ...change,
    url,
    body,
  }
}

/** How a flat list stands on the wire. */
export function written(request: OutgoingRequest, path: string): Buffer {
  const lines = [`${request.method} ${path} HTTP/1.1\r\n`]
  for (let i = 0; i + 1 < request.headers.length; i += 2)
    lines.push(`${request.headers[i]}: ${request.headers[i + 1]}\r\n`)
  return Buffer.concat([Buffer.from(`${lines.join('')}\r\n`, 'latin1'), ...request.body.pieces()])
}

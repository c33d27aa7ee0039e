import { readFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import {
  createServer as createTlsServer,
  getCACertificates,
  setDefaultCACertificates,
  type TLSSocket,
  type TlsOptions,
} from 'node:tls'
import { onTestFinished } from 'vitest'
import type { OutgoingRequest, Sender } from '#core/replay/ports.ts'
import { bodyOf } from '#core/replay/request.ts'
import { createSender, type SenderOptions } from '#outbound/sender.ts'
import { listening } from '../../support/hook-receiver.ts'

/** Makes a sender without a proxy, closed after the test. */
export function sender(options: SenderOptions = {}): Sender {
  const made = createSender({ environment: {}, ...options })
  onTestFinished(() => made.close())
  return made
}

/** Time-outs that no test reaches. */
export const timeouts = { connectMs: 10_000, answerMs: 10_000, totalMs: 20_000 }
type Change = Partial<Omit<OutgoingRequest, 'timeouts'>> & { timeouts?: Partial<typeof timeouts> }

/** Makes a small request. */
export function outgoing(url: string, change: Change = {}): OutgoingRequest {
  const body = change.body ?? bodyOf(new Uint8Array())
  return {
    method: 'POST',
    headers: ['Host', 'target.test', ...(body.size > 0 ? ['Content-Length', String(body.size)] : [])],
    acceptAnyCertificate: false,
    ...change,
    timeouts: { ...timeouts, ...change.timeouts },
    url,
    body,
  }
}

export function written(request: OutgoingRequest, path: string): Buffer {
  const lines = [`${request.method} ${path} HTTP/1.1\r\n`]
  for (let i = 0; i + 1 < request.headers.length; i += 2)
    lines.push(`${request.headers[i]}: ${request.headers[i + 1]}\r\n`)
  return Buffer.concat([Buffer.from(`${lines.join('')}\r\n`, 'latin1'), ...request.body.pieces()])
}

export type Answering = (socket: Socket, request: Buffer, nth: number) => void

export const text = (answer: string): Buffer => Buffer.from(answer, 'latin1')
export const NO_CONTENT = text('HTTP/1.1 204 No Content\r\n\r\n')

/** Makes a complete answer. */
export const status = (code: number, body = '', head = '') =>
  `HTTP/1.1 ${code} X\r\n${head}Content-Length: ${body.length}\r\n\r\n${body}`

/** Makes a handler that answers each request with these pieces. */
export const gives =
  (...pieces: readonly (string | Buffer)[]): Answering =>
  (socket) => {
    for (const piece of pieces) socket.write(typeof piece === 'string' ? text(piece) : piece)
  }

/** A target without an HTTP library: it records raw bytes and answers with raw bytes. Closed after the test. */
export const rawTarget = (answering = gives(NO_CONTENT), { paused = false } = {}) =>
  targetOf<Socket>((connected) => createServer({ pauseOnConnect: paused }, connected), answering)

async function targetOf<S extends Socket>(
  server: (connected: (socket: S) => void) => Server,
  answering: Answering,
) {
  /** Received bytes of each request. */
  const requests: Buffer[] = []
  /** All connections so far, and the open ones. */
  const [all, sockets] = [[] as S[], new Set<S>()]
  const connected = (socket: S) => {
    all.push(socket)
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    const whole = (request: Buffer) => answering(socket, request, requests.push(request))
    socket.on('data', splitter(whole))
  }
  const port = await listening(server(connected))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  return { port, requests, all, sockets, connections: () => all.length }
}

/** Makes a raw target, a sender, and a function that sends a small request to the target. */
export async function reached(...target: Parameters<typeof rawTarget>) {
  const to = await rawTarget(...target)
  const sends = sender()
  const send = (change: Change = {}, stop?: AbortSignal) =>
    sends.send(outgoing(`http://127.0.0.1:${to.port}/hook?x=1`, change), stop)
  return { to, sends, send }
}

/** Splits received bytes into requests by Content-Length, the only framing that the sender uses. */
function splitter(whole: (request: Buffer) => void): (piece: Buffer) => void {
  let pieces: Buffer[] = []
  let size = 0
  let wanted = 0
  return (piece) => {
    pieces.push(piece)
    size += piece.length
    while (size > 0) {
      if (wanted === 0) {
        const soFar = Buffer.concat(pieces)
        pieces = [soFar]
        const end = soFar.indexOf('\r\n\r\n', 0, 'latin1')
        if (end === -1) return
        const length = /\r\ncontent-length: *(\d+)/i.exec(soFar.toString('latin1', 0, end))?.[1]
        wanted = end + 4 + Number(length ?? 0)
      }
      if (size < wanted) return
      const all = Buffer.concat(pieces)
      const request = all.subarray(0, wanted)
      pieces = [all.subarray(wanted)]
      size -= wanted
      wanted = 0
      whole(request)
    }
  }
}

/*
 * self-signed: openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36525
 *   -addext "subjectAltName=IP:127.0.0.1,DNS:localhost"
 * authority: as self-signed, without names; the others are of the same key, signed by it with `openssl ca -startdate … -enddate …`:
 * issued (for 127.0.0.1 and localhost), expired (in 2020), other-name (for other.test).
 */
const fixture = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../fixtures/tls', `${name}.pem`), 'utf8')
const key = fixture('self-signed-key')

/** Makes a raw target behind TLS, with the named certificate. */
export const secureTarget = (name: string, options: TlsOptions = {}) =>
  targetOf<TLSSocket>(
    (connected) => createTlsServer({ key, cert: fixture(`${name}-certificate`), ...options }, connected),
    gives(NO_CONTENT),
  )

export function trustTheAuthority(): void {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, fixture('authority-certificate')])
  onTestFinished(() => setDefaultCACertificates(before))
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  createServer,
  getCACertificates,
  setDefaultCACertificates,
  type TLSSocket,
  type TlsOptions,
} from 'node:tls'
import { onTestFinished } from 'vitest'
import { NO_CONTENT } from './raw-target.ts'

/*
 * self-signed: openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36525
 *   -addext "subjectAltName=IP:127.0.0.1,DNS:localhost"
 * authority: as self-signed, without names; the others are of the same key, signed by it with `openssl ca -startdate … -enddate …`:
 * issued (for 127.0.0.1 and localhost), expired (in 2020), other-name (for other.test).
 */
const fixture = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../fixtures/tls', `${name}.pem`), 'utf8')
const key = fixture('self-signed-key')

/** A target behind TLS with the certificate of that name; gone after the test. */
export async function secureTarget(
  name: string,
  options: TlsOptions = {},
  answering: (socket: TLSSocket, piece: Buffer) => void = (socket) => socket.write(NO_CONTENT),
) {
  const requests: string[] = []
  const sockets = new Set<TLSSocket>()
  const server = createServer({ key, cert: fixture(`${name}-certificate`), ...options }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', (piece) => {
      requests.push(piece.toString('latin1'))
      answering(socket, piece)
    })
  })
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const address = server.address()
  return { port: address && typeof address === 'object' ? address.port : 0, requests, sockets }
}

/** For the running test. */
export function trustTheAuthority(): void {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, fixture('authority-certificate')])
  onTestFinished(() => setDefaultCACertificates(before))
}

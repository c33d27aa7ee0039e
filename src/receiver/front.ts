import type { Server as TlsServer } from 'node:https'
import type { Socket } from 'node:net'
import { PLAIN_AT_TLS } from './answers.ts'
import { keepPlainAtTls } from './broken.ts'
import type { Connection } from './connection.ts'
import type { Context } from './context.ts'
import { SIZES } from './limits.ts'

/** The first byte of every TLS connection: a handshake record (RFC 8446, 5.1). */
const HANDSHAKE = 0x16
/** A request in the clear is taken as whole after a pause of this many milliseconds. */
const PLAIN_PAUSE_MS = 300
/** Failed handshakes are told this often at most: a scanner makes thousands. */
const TOLD_EVERY_MS = 60_000

/**
 * Looks at the first byte of each connection before TLS does: bytes in the clear at the TLS port is a delivery to the wrong scheme,
 * and the service never sends it again, so its bytes are kept and the sender is told.
 * @param connectionOf gives what is known of a socket
 * @returns drops what has not got as far as a connection
 */
export function standBefore(
  server: TlsServer,
  context: Context,
  connectionOf: (socket: Socket) => Connection,
): () => void {
  const [begin] = server.listeners('connection')
  const unready = new Set<Socket>()
  let toldAt = Number.NEGATIVE_INFINITY
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    unready.add(socket)
    const timer = setTimeout(() => socket.destroy(), context.times.keepAlive).unref()
    const ready = () => {
      clearTimeout(timer)
      unready.delete(socket)
    }
    socket.once('close', ready)
    socket.once('error', () => socket.destroy())
    socket.once('data', (first: Buffer) => {
      clearTimeout(timer)
      socket.pause()
      socket.unshift(first)
      if (first[0] === HANDSHAKE) begin?.call(server, socket)
      else takePlain(socket)
    })
  })
  server.on('secureConnection', ({ remotePort, remoteAddress }) => {
    for (const socket of unready)
      if (socket.remotePort === remotePort && socket.remoteAddress === remoteAddress) unready.delete(socket)
  })
  server.on('tlsClientError', (error, socket) => {
    const now = performance.now()
    if (now - toldAt < TOLD_EVERY_MS || !('code' in error) || error.code === 'ECONNRESET') return
    toldAt = now
    context.warn(
      `A sender at ${socket.remoteAddress ?? 'an unknown address'} and the receiver could not agree on TLS, so nothing arrived: ${reasonOf(error)}.`,
    )
  })

  function takePlain(socket: Socket): void {
    const connection = connectionOf(socket)
    let last = performance.now()
    const keep = () => {
      clearInterval(timer)
      if (!connection.failed) keepPlainAtTls(context, connection, PLAIN_AT_TLS)
    }
    const timer = setInterval(() => {
      if (performance.now() - last >= PLAIN_PAUSE_MS) keep()
    }, PLAIN_PAUSE_MS / 3)
    let size = 0
    socket.on('data', (piece: Buffer) => {
      last = performance.now()
      size += piece.length
      if (size >= SIZES.keptHead) keep()
    })
    socket.once('end', keep)
    socket.once('close', keep)
    socket.resume()
  }

  return () => {
    for (const socket of unready) socket.destroy()
  }
}

function reasonOf(error: Error): string {
  if (/UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_UNKNOWN/i.test(String('code' in error ? error.code : '')))
    return 'it does not accept the certificate'
  return (
    error.message
      .replace(/^.*?SSL routines:[^:]*:/s, '')
      .split(':')[0]
      ?.trim() || error.message
  )
}

import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https'
import type { Socket } from 'node:net'
import express from 'express'
import type { Certificate } from '#core/ports.ts'
import { NO_ROOM, NOT_STORED, PLAIN_AT_TLS, wireBytes } from './answers.ts'
import { connectAsked, giveUp, keepPlainAtTls, parserGaveUp } from './broken.ts'
import { Connection, type Waiting } from './connection.ts'
import type { Context } from './context.ts'
import { Exchange } from './exchange.ts'
import { HEADS, type ReceiverTimes, SIZES } from './limits.ts'
import { codeOf } from './listen.ts'
import { Heads } from './room.ts'

export interface IntakeServer {
  readonly http: Server
  readonly connections: ReadonlySet<Connection>
  /** Ends bodies that arrive too slowly; called every `times.check`. */
  cutSlowBodies(): void
  /** Sets the certificate for new connections; no effect with plain HTTP. */
  renew(certificate: Certificate): void
  /** Drops connections that have not completed the TLS handshake. */
  dropUnready(): void
}

/** The HTTP server with Express. It also handles requests that Node would drop or answer itself. @param certificate null: plain HTTP */
export function createIntakeServer(context: Context, certificate: Certificate | null = null): IntakeServer {
  const connections = new Set<Connection>()
  const { times } = context
  const heads = new Heads()

  // Node may report events of a socket after its close, so this map keeps connections that are no longer open.
  const known = new WeakMap<Socket, Connection>()
  const connectionOf = (socket: Socket): Connection => {
    const found = known.get(socket)
    if (found) return found
    const made = new Connection(socket, times, heads, context.turns, {
      tooLarge: () => giveUp(context, made, 'too-large'),
      tooSlow: () => giveUp(context, made, 'slow'),
    })
    known.set(socket, made)
    return made
  }
  const opened = (socket: Socket) => {
    const connection = connectionOf(socket)
    connections.add(connection)
    socket.once('close', () => connections.delete(connection))
  }

  const receive = (request: IncomingMessage, response: ServerResponse, expectation: boolean) => {
    const connection = connectionOf(request.socket)
    if (!connection.takesHead(request)) return
    new Exchange(context, connection, request, response, expectation).receive()
  }

  const app = bareExpress((request, response) => receive(request, response, false))

  const options = {
    IncomingMessage: IntakeRequest,
    ServerResponse: IntakeResponse,
    maxHeaderSize: SIZES.maxHead,
    // Accept senders without a Host header.
    requireHostHeader: false,
    headersTimeout: times.head,
    // cutSlowBodies limits bodies instead, because it leaves out time spent waiting for the store.
    requestTimeout: 0,
    keepAliveTimeout: times.keepAlive,
    connectionsCheckingInterval: times.check,
    noDelay: true,
  }
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    // Only paths go to Express, which parses the target with Node's old parser; that prints warnings for unusual targets.
    if (!request.url?.startsWith('/')) return receive(request, response, false)
    // Called when routing fails or a handler throws; otherwise Express would answer with its own page, and nothing would be stored.
    const unrouted = (error?: unknown) => {
      if (error === undefined) return receive(request, response, false)
      context.trouble.failed(error)
      const connection = connectionOf(request.socket)
      connection.refuse(NOT_STORED, connection.last)
    }
    app(request as Parameters<typeof app>[0], response as Parameters<typeof app>[1], unrouted)
  }
  const secure = certificate && createTlsServer({ ...options, ...tlsOptions(certificate, times) }, handle)
  const http: Server = secure ?? createServer(options, handle)
  // Zero means no limit: Node would drop further headers, and they would be lost (readings, Delivery).
  http.maxHeadersCount = 0
  // A sender that closes its sending half after the body still waits for the answer. Node has no public option for that.
  Object.assign(http, { httpAllowHalfOpen: true })
  http.on(secure ? 'secureConnection' : 'connection', opened)
  const unready = secure ? standBefore(secure, context, connectionOf) : null
  const admission = new Admission(context, connections, unready)
  const admitted = http.listeners('connection')
  http.removeAllListeners('connection')
  http.on('connection', (socket: Socket) => {
    context.turns.accepted()
    if (admission.admits(socket)) for (const begin of admitted) begin.call(http, socket)
  })
  http.on('checkExpectation', (request, response) =>
    // An empty list expects nothing.
    receive(request, response, /[^\s,]/.test(request.headers.expect ?? '')),
  )
  http.on('clientError', (error, socket) =>
    parserGaveUp(context, connectionOf(socket as Socket), codeOf(error)),
  )
  http.on('connect', (request, socket, rest) =>
    connectAsked(context, connectionOf(socket as Socket), request, rest),
  )

  return {
    http,
    connections,
    cutSlowBodies() {
      const now = performance.now()
      for (const connection of connections) {
        const { incoming } = connection
        if (!incoming || connection.since('body') === undefined) continue
        // If bytes waited for the receiver, the sender's pause began before they were read.
        const allowedMs = Math.max(
          times.bodyIdle - incoming.waited,
          Math.min(times.bodyStalled, times.bodyIdle),
        )
        const idle = now - connection.lastByteAt > allowedMs
        if (idle || now - incoming.startedAt > times.body) incoming.breakOff('timeout')
      }
    },
    renew: (next) => secure?.setSecureContext(tlsOptions(next, times)),
    dropUnready() {
      for (const socket of unready?.keys() ?? []) socket.destroy()
    },
  }
}

const tlsOptions = ({ cert, key }: Certificate, { head }: Context['times']) => ({
  cert,
  key,
  handshakeTimeout: head,
  allowHalfOpen: true,
  minVersion: 'TLSv1.2' as const,
  ALPNProtocols: ['http/1.1'],
})

/** Express gives each request and answer its prototypes, which slows both down, unless they have these already. */
class IntakeRequest extends IncomingMessage {}
class IntakeResponse<R extends IncomingMessage> extends ServerResponse<R> {}

/** Express without the features that read or write on their own. */
function bareExpress(handler: (request: IncomingMessage, response: ServerResponse) => void) {
  const app = express()
  app.disable('x-powered-by')
  app.set('etag', false)
  app.set('query parser', false)
  Object.assign(app, { request: IntakeRequest.prototype, response: IntakeResponse.prototype })
  app.use(handler)
  return app
}

/** Order in which waiting connections lose their place to a new one, and the least waiting time in milliseconds. */
const GIVING_WAY: readonly (readonly [Waiting, ms: keyof ReceiverTimes | number])[] = [
  ['refused', 1_000],
  ['idle', 1_000],
  ['head', HEADS.ownMs],
  ['body', 'bodyStalled'],
]
/** The same for connections that have not completed the TLS handshake, which go first. */
const UNREADY_MS = 1_000
/** Connections before the end of their TLS handshake, oldest first, with `performance.now()` at their start. */
type Unready = ReadonlyMap<Socket, number>
/** Shortest time between two warnings about refusals or failed handshakes: a crowd or a scanner causes thousands. */
const TOLD_EVERY_MS = 60_000
/** How long a refused sender has to read the reason. */
const FAREWELL_MS = 1_000

/** Limits the number of connections, in all and per address. */
export class Admission {
  readonly #context: Context
  readonly #connections: ReadonlySet<Connection>
  readonly #unready: Unready | null
  readonly #perAddress = new Map<string, number>()
  #open = 0
  #refused = 0
  #toldAt = Number.NEGATIVE_INFINITY

  /** @param connections the open ones @param unready null: plain HTTP */
  constructor(context: Context, connections: ReadonlySet<Connection>, unready: Unready | null) {
    this.#context = context
    this.#connections = connections
    this.#unready = unready
  }

  /** Admits a connection, or refuses it with a warning. If the limit is reached, a connection that waits for its sender is ended first. */
  admits(socket: Socket): boolean {
    const address = socket.remoteAddress ?? ''
    const { maxConnections, maxConnectionsPerAddress } = this.#context.rules()
    const ofAddress = () => this.#perAddress.get(address) ?? 0
    const crowded = ofAddress() >= maxConnectionsPerAddress
    if ((crowded || this.#open >= maxConnections) && !this.#makePlace(crowded ? address : null)) {
      this.#refuse(socket, address)
      return false
    }
    this.#open++
    this.#perAddress.set(address, ofAddress() + 1)
    socket.once('close', () => {
      this.#open--
      const others = ofAddress() - 1
      if (others > 0) this.#perAddress.set(address, others)
      else this.#perAddress.delete(address)
    })
    return true
  }

  /** Ends one waiting connection. @param address only of this address, unless null @returns whether there was one */
  #makePlace(address: string | null): boolean {
    const now = performance.now()
    for (const [socket, since] of this.#unready ?? []) {
      if (since > now - UNREADY_MS) break
      if (socket.destroyed || (address !== null && socket.remoteAddress !== address)) continue
      socket.destroy()
      return true
    }
    for (const [waiting, ms] of GIVING_WAY) {
      let latest = now - (typeof ms === 'number' ? ms : this.#context.times[ms])
      let longest: Connection | undefined
      for (const connection of this.#connections) {
        const since = connection.since(waiting)
        if (since === undefined || since > latest) continue
        if (address !== null && connection.remoteAddress !== address) continue
        latest = since
        longest = connection
      }
      if (!longest) continue
      if (waiting === 'refused') longest.socket.destroy()
      else if (waiting === 'idle') longest.closeWhenIdle()
      else longest.giveWay()
      return true
    }
    return false
  }

  #refuse(socket: Socket, address: string): void {
    socket.on('error', () => socket.destroy())
    // Before its handshake a sender reads no plain text.
    if (this.#unready) socket.destroy()
    else {
      socket.end(wireBytes(NO_ROOM))
      socket.resume()
      setTimeout(() => socket.destroy(), FAREWELL_MS).unref()
    }
    this.#refused++
    this.#context.refused()
    const now = performance.now()
    if (now - this.#toldAt < TOLD_EVERY_MS) return
    this.#toldAt = now
    const { maxConnections, maxConnectionsPerAddress } = this.#context.rules()
    this.#context.warn(
      `Connections are refused, the last from ${address || 'an unknown address'}, ${this.#refused} so far: ${maxConnectionsPerAddress} of one address and ${maxConnections} in all may be open (receiver.maxConnectionsPerAddress, receiver.maxConnections).`,
    )
  }
}

/** The first byte of every TLS connection: a handshake record (RFC 8446, 5.1). */
const HANDSHAKE = 0x16
/** Pause in milliseconds after which a plain request counts as complete. */
const PLAIN_PAUSE_MS = 300

/**
 * Checks the first byte of each connection before TLS does. The service never repeats a delivery to the wrong scheme, so Acuse stores
 * the bytes and tells the sender.
 */
export function standBefore(
  server: TlsServer,
  context: Context,
  connectionOf: (socket: Socket) => Connection,
): Unready {
  const [begin] = server.listeners('connection')
  const unready = new Map<Socket, number>()
  let toldAt = Number.NEGATIVE_INFINITY
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    unready.set(socket, performance.now())
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
    for (const socket of unready.keys())
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

  return unready
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

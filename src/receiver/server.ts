import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'
import express from 'express'
import type { Certificate } from '#core/ports.ts'
import { Admission } from './admission.ts'
import { NOT_STORED } from './answers.ts'
import { connectAsked, headTooLarge, parserGaveUp } from './broken.ts'
import { Connection } from './connection.ts'
import type { Context } from './context.ts'
import { Exchange } from './exchange.ts'
import { standBefore } from './front.ts'
import { HEADS, SIZES } from './limits.ts'
import { codeOf } from './listen.ts'
import { Room } from './room.ts'

export interface IntakeServer {
  readonly http: Server
  /** Those that are open. */
  readonly connections: ReadonlySet<Connection>
  /** Cuts bodies that come too slowly; called at `times.check`. */
  cutSlowBodies(): void
  /** Takes another certificate for connections to come; nothing over plain HTTP. */
  renew(certificate: Certificate): void
  /** Drops what has not agreed on TLS yet. */
  dropUnready(): void
}

/**
 * The HTTP server with Express on it, and everything that Node's HTTP layer would swallow or answer by itself.
 * @param certificate for HTTPS; null for plain HTTP
 */
export function createIntakeServer(context: Context, certificate: Certificate | null = null): IntakeServer {
  const connections = new Set<Connection>()
  const { times } = context
  const heads = new Room(HEADS.room)

  // Node may still tell of a socket after it has closed, so what is known of it outlives its place among the open ones.
  const known = new WeakMap<Socket, Connection>()
  const connectionOf = (socket: Socket): Connection => {
    const found = known.get(socket)
    if (found) return found
    const made = new Connection(socket, times, heads, context.turns, () => headTooLarge(context, made))
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
    // The head took too much in the very packet that ended it: it is kept as that.
    if (connection.headRefused) return
    new Exchange(context, connection, request, response, expectation).receive()
  }

  const app = bareExpress((request, response) => receive(request, response, false))

  const options = {
    maxHeaderSize: SIZES.maxHead,
    // A sender without Host is still a sender.
    requireHostHeader: false,
    headersTimeout: times.head,
    // Bodies have limits of their own (cutSlowBodies), which know the store's share of the time.
    requestTimeout: 0,
    keepAliveTimeout: times.keepAlive,
    connectionsCheckingInterval: times.check,
    noDelay: true,
  }
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    // Express parses the target, and Node's old parser complains aloud of odd ones: only paths go there.
    if (!request.url?.startsWith('/')) {
      receive(request, response, false)
      return
    }
    // Called where routing fails or something throws; without it Express answers with a page of its own, and nothing is stored.
    const unrouted = (error?: unknown) => {
      if (error === undefined) {
        receive(request, response, false)
        return
      }
      context.trouble.failed(error)
      const connection = connectionOf(request.socket)
      connection.refuse(NOT_STORED, connection.last)
    }
    app(request as Parameters<typeof app>[0], response as Parameters<typeof app>[1], unrouted)
  }
  const secure = certificate && createTlsServer({ ...options, ...tlsOptions(certificate, times) }, handle)
  const http: Server = secure ?? createServer(options, handle)
  // Zero means all: a custom header that is cut off is lost (readings, Delivery).
  http.maxHeadersCount = 0
  // A sender that closes its sending half after the body still waits for the answer. Node has no option for it.
  Object.assign(http, { httpAllowHalfOpen: true })
  http.on(secure ? 'secureConnection' : 'connection', opened)
  const dropUnready = secure ? standBefore(secure, context, connectionOf) : () => {}
  const admission = new Admission(context, connections, secure !== null)
  const admitted = http.listeners('connection')
  http.removeAllListeners('connection')
  http.on('connection', (socket: Socket) => {
    context.turns.accepted()
    if (admission.admits(socket)) for (const begin of admitted) begin.call(http, socket)
  })
  http.on('checkExpectation', (request, response) => receive(request, response, true))
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
        if (!connection.receiving || !incoming || incoming.held) continue
        const idle = now - connection.lastByteAt > times.bodyIdle
        if (idle || now - incoming.startedAt > times.body) incoming.breakOff('timeout')
      }
    },
    renew: (next) => secure?.setSecureContext(tlsOptions(next, times)),
    dropUnready,
  }
}

const tlsOptions = ({ cert, key }: Certificate, { head }: Context['times']) => ({
  ...{ cert, key, handshakeTimeout: head, allowHalfOpen: true },
  minVersion: 'TLSv1.2' as const,
  ALPNProtocols: ['http/1.1'],
})

/** Express with all that reads or writes by itself switched off. */
function bareExpress(handler: (request: IncomingMessage, response: ServerResponse) => void) {
  const app = express()
  app.disable('x-powered-by')
  app.set('etag', false)
  app.set('query parser', false)
  app.use(handler)
  return app
}

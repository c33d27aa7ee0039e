import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Engine } from '#core/engine/engine.ts'
import { numberedPushes } from '../numbered-pushes.ts'
import type { Remote } from '../remote.ts'
import { values } from './guard.ts'
import type { Sessions } from './sessions.ts'

/**
 * A broken tunnel closes nothing. A client that misses one ping is disconnected, so that no pushes pile up for it; a page cannot see pings,
 * so the host also sends an empty message, and the page reconnects without one.
 */
const PING_MS = 30_000

/** Path and WebSocket subprotocol of the pushes; the client offers the session's key as a second subprotocol. */
export const PUSHES = { path: '/api/pushes', protocol: 'acuse' } as const

/** Unread bytes from which on a client of a relay is disconnected. */
const RELAYED_LIMIT = 4 * 1_048_576

export interface PushSocket {
  /** Upgrades a connection that the guard accepted, if it offers the key of a session. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void
  close(): void
}

export function pushSocket(engine: Engine | Remote, sessions: Pick<Sessions, 'knows'>): PushSocket {
  // Clients send nothing here; a long message could only be an attack on memory.
  const server = new WebSocketServer({ noServer: true, maxPayload: 1_024, perMessageDeflate: false })
  return {
    accept(request, socket, head) {
      const [protocol, key, ...more] = values(request.rawHeaders, 'sec-websocket-protocol')
        .flatMap((list) => list.split(','))
        .map((name) => name.trim())
      if (protocol !== PUSHES.protocol || more.length > 0 || !sessions.knows(key ?? ''))
        reject(socket, '401 Unauthorized')
      else if (request.url !== PUSHES.path) reject(socket, '404 Not Found')
      // The server picks the first of the two subprotocols, so the answer does not repeat the key.
      else if ('openPushes' in engine) {
        const from = engine.openPushes()
        from.once('open', () => server.handleUpgrade(request, socket, head, (client) => relay(from, client)))
        from.once('close', () => socket.destroy())
        socket.once('close', () => from.terminate())
      } else server.handleUpgrade(request, socket, head, (client) => serve(engine, client))
    },
    close() {
      for (const client of server.clients) client.close(1001)
      server.close()
      const clients = [...server.clients]
      setTimeout(() => {
        for (const client of clients) client.terminate()
      }, 500).unref()
    },
  }
}

function serve(engine: Engine, client: WebSocket): void {
  const stop = numberedPushes(engine, {
    send: (text, handedOver) => client.send(text, handedOver),
    waiting: () => client.bufferedAmount,
  })
  let alive = true
  client.on('pong', () => {
    alive = true
  })
  const pings = setInterval(() => {
    if (!alive) return client.terminate()
    alive = false
    client.ping()
    client.send('')
  }, PING_MS)
  client.on('error', () => client.terminate())
  client.on('close', () => {
    clearInterval(pings)
    stop()
  })
}

/**
 * Passes on each message of another host, its numbers included, so that the page sees every loss between there and here. Its silence
 * too: pings of our own would hide it. The sockets end together.
 */
function relay(from: WebSocket, client: WebSocket): void {
  from.on('message', (data) => {
    // A page that cannot keep up reads a snapshot instead when it connects again.
    if (client.bufferedAmount > RELAYED_LIMIT) client.terminate()
    else client.send(String(data))
  })
  client.on('error', () => client.terminate())
}

export function reject(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

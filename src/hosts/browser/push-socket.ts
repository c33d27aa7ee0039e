import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Engine } from '#core/engine.ts'
import { numberedPushes } from '../numbered-pushes.ts'

/** A tunnel that died says nothing; a client that misses one ping is cut so that nothing piles up for it. */
const PING_MS = 30_000

export interface PushSocket {
  /** Takes over a connection that the guard and the session check have let through. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void
  close(): void
}

/** The WebSocket `/api/pushes`: one way only, each push as JSON text. */
export function pushSocket(engine: Engine): PushSocket {
  // Clients have nothing to say here; a long message could only be an attempt to fill memory.
  const server = new WebSocketServer({ noServer: true, maxPayload: 1_024, perMessageDeflate: false })
  return {
    accept: (request, socket, head) =>
      server.handleUpgrade(request, socket, head, (client) => serve(engine, client)),
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
  }, PING_MS)
  client.on('error', () => client.terminate())
  client.on('close', () => {
    clearInterval(pings)
    stop()
  })
}

import type { Socket } from 'node:net'
import { Connection, type ConnectionParts, openConnection, type Route } from './connection.ts'

/** Connections that lie idle under one key at most. */
const KEPT_AT_MOST = 256

/** Connections, made by our own rules and kept for a second, told apart by the key of their route; the one used last is used first. */
export class Pool {
  readonly #parts: ConnectionParts
  readonly #kept = new Map<string, Connection[]>()

  constructor(parts: ConnectionParts) {
    this.#parts = parts
  }

  /** Whether one lies idle, or did a moment ago. */
  holds(key: string): boolean {
    return (this.#kept.get(key)?.length ?? 0) > 0
  }

  /** A connection that lay idle and may be used; `keep` gives it back. */
  take(key: string): Connection | undefined {
    const list = this.#kept.get(key)
    for (;;) {
      const connection = list?.pop()
      if (!connection) return undefined
      const { socket, idleSince, idleAtMost } = connection
      if (socket?.writable && performance.now() - idleSince < idleAtMost) {
        socket.ref()
        return connection
      }
      socket?.destroy()
    }
  }

  /** Makes a connection. @param opening told of it at once, to follow it and to give it up @throws ExplainedError */
  async open(route: Route, opening: (connection: Connection) => void): Promise<Connection> {
    const connection = new Connection()
    opening(connection)
    const socket = await openConnection(route, connection, this.#parts)
    if (connection.abandoned) socket.destroy()
    connection.socket = socket
    watch(connection, socket)
    return connection
  }

  /** The connection lies idle from now on. Its last answer was whole. */
  keep(key: string, connection: Connection): void {
    const { socket } = connection
    let list = this.#kept.get(key)
    if (!list) {
      list = []
      this.#kept.set(key, list)
    }
    connection.user = null
    if (!socket?.writable || connection.idleAtMost <= 0 || list.length >= KEPT_AT_MOST) {
      socket?.destroy()
      return
    }
    connection.idleSince = performance.now()
    socket.unref()
    list.push(connection)
  }

  /** Ends connections that lie idle for too long. @param now of performance.now() */
  sweep(now: number): void {
    for (const [key, list] of this.#kept) {
      const fresh = list.filter(({ socket, idleSince, idleAtMost }) => {
        if (socket?.writable && now - idleSince < idleAtMost) return true
        socket?.destroy()
        return false
      })
      if (fresh.length === 0) this.#kept.delete(key)
      else if (fresh.length < list.length) list.splice(0, list.length, ...fresh)
    }
  }

  hasIdle(): boolean {
    return this.#kept.size > 0
  }

  drop(): void {
    this.sweep(Number.POSITIVE_INFINITY)
  }
}

/** Listens once for the whole life of a connection, for its present user. */
function watch(connection: Connection, socket: Socket): void {
  socket.on('data', (bytes: Buffer) => {
    // Bytes without a request must not be taken for the answer to the next one.
    if (connection.user) connection.user.came(bytes)
    else socket.destroy()
  })
  socket.on('end', () => connection.user?.ended())
  socket.on('error', (error) => connection.user?.broke(error))
  socket.on('close', () => connection.user?.ended())
}

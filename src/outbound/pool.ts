import type { Socket } from 'node:net'
import { Connection, type ConnectionParts, openConnection, type Route } from './connection.ts'

/** Maximum idle connections per key. */
const KEPT_AT_MOST = 256

/** Pool of keep-alive connections by the key of their route, each kept for about a second; reuses the latest first. */
export class Pool {
  readonly #parts: ConnectionParts
  readonly #kept = new Map<string, Connection[]>()

  constructor(parts: ConnectionParts) {
    this.#parts = parts
  }

  /** Whether the pool probably has an idle connection. */
  holds(key: string): boolean {
    return (this.#kept.get(key)?.length ?? 0) > 0
  }

  /** Takes a usable idle connection out of the pool; `keep` returns it. */
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

  /** Opens a connection. @param opening called at once, so that the caller can observe and abandon it @throws ExplainedError */
  async open(route: Route, opening: (connection: Connection) => void): Promise<Connection> {
    const connection = new Connection()
    opening(connection)
    const socket = await openConnection(route, connection, this.#parts)
    if (connection.abandoned) socket.destroy()
    connection.socket = socket
    watch(connection, socket)
    return connection
  }

  /** Returns a connection to the pool after a complete answer. */
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

  /** Closes expired idle connections. @param now of performance.now() */
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

/** Attaches listeners once for the life of a connection; they forward to its present user. */
function watch(connection: Connection, socket: Socket): void {
  socket.on('data', (bytes: Buffer) => {
    // Bytes without a request must not be taken for the next answer.
    if (connection.user) connection.user.came(bytes)
    else socket.destroy()
  })
  socket.on('end', () => connection.user?.ended())
  socket.on('error', (error) => connection.user?.broke(error))
  socket.on('close', () => connection.user?.ended())
}

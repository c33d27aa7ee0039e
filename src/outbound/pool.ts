import { Agent, type ClientRequestArgs } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import {
  type Connection,
  type ConnectionParts,
  newConnection,
  openConnection,
  type Route,
} from './connection.ts'

/** What a request tells the pool that carries it. */
export interface Carried extends ClientRequestArgs {
  /** Empty: the pool knows the name for TLS from the route. */
  readonly servername: ''
  readonly route: Route
  /** Called when a connection is going to be made for it; a kept one needs none. */
  readonly opening: (connection: Connection) => void
}

/**
 * Connections, made by our own rules and kept for a second. One pool serves plain and TLS connections, with and without proxies, told apart
 * by the key of their route; the kept one used last is used first.
 */
export class Pool extends Agent {
  readonly #parts: ConnectionParts
  readonly #connections = new WeakMap<Duplex, Connection>()

  constructor(parts: ConnectionParts) {
    super({ keepAlive: true })
    this.#parts = parts
  }

  /** What is known of a socket that this pool gave. */
  connectionOf(socket: Duplex): Connection | undefined {
    return this.#connections.get(socket)
  }

  /** Ends connections that lie idle for too long. @param now of performance.now() */
  sweep(now: number): void {
    for (const list of Object.values(this.freeSockets) as Socket[][]) {
      const fresh = list.filter((socket) => {
        const known = this.#connections.get(socket)
        if (known && now - known.idleSince < known.idleAtMost) return true
        socket.destroy()
        return false
      })
      // In place: Agent would take one that is being destroyed, unless it stands first.
      if (fresh.length < list.length) list.splice(0, list.length, ...fresh)
    }
  }

  hasIdle(): boolean {
    return Object.values(this.freeSockets).some((list) => list?.length)
  }

  /** Ends all that lie idle. */
  drop(): void {
    this.sweep(Number.POSITIVE_INFINITY)
  }

  override getName(options?: Partial<Carried>): string {
    return options?.route?.key ?? ''
  }

  override createConnection(
    options: Carried,
    give: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    const connection = newConnection()
    options.opening(connection)
    openConnection(options.route, connection, this.#parts).then(
      (socket) => {
        this.#connections.set(socket, connection)
        if (connection.abandoned) socket.destroy()
        give(null, socket)
      },
      // Agent reads no socket where there is an error.
      (error: Error) => give(error, undefined as unknown as Duplex),
    )
  }

  override keepSocketAlive(socket: Duplex): boolean {
    const known = this.#connections.get(socket)
    if (!known) return false
    known.idleSince = performance.now()
    ;(socket as Socket).unref()
    return known.idleAtMost > 0
  }
}

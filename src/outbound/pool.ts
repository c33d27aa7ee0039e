import { Agent, type AgentOptions, type ClientRequestArgs } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import {
  type Connection,
  type ConnectionParts,
  newConnection,
  openConnection,
  type Route,
} from './connection.ts'

/** A request that the pool finds a connection for. */
export interface Carried {
  readonly route: Route
  /** Called when a connection is going to be made for it. */
  opening(connection: Connection): void
}

/** Host and port are not among them: the route has what a connection is made from. */
export interface CarriedOptions extends ClientRequestArgs {
  readonly carried: Carried
}

/**
 * Connections, made by our own rules and kept for a second. One pool serves plain and TLS connections, with and without proxies, told apart
 * by the key of their route; the kept one used last is used first.
 */
export class Pool extends Agent {
  readonly #parts: ConnectionParts
  readonly #connections = new WeakMap<Duplex, Connection>()

  constructor(parts: ConnectionParts) {
    // Without a server name Agent would look for one in each request's headers.
    super({ keepAlive: true, servername: '' } as AgentOptions)
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

  override getName(options?: Partial<CarriedOptions>): string {
    return options?.carried?.route.key ?? ''
  }

  override createConnection(
    options: CarriedOptions,
    give: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    const { carried } = options
    const connection = newConnection()
    carried.opening(connection)
    openConnection(carried.route, connection, this.#parts).then(
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

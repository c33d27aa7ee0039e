import { Agent, type AgentOptions, type ClientRequest, type ClientRequestArgs } from 'node:http'
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

/** Connections that lie idle under one key at most. */
const KEPT_AT_MOST = 256

/**
 * Connections, made by our own rules and kept for a second. One pool serves plain and TLS connections, with and without proxies, told apart
 * by the key of their route; the kept one used last is used first. What is kept lies here and not with Agent, since a direct exchange takes
 * it, too.
 */
export class Pool extends Agent {
  readonly #parts: ConnectionParts
  readonly #connections = new WeakMap<Duplex, Connection>()
  readonly #kept = new Map<string, Connection[]>()

  constructor(parts: ConnectionParts) {
    // Without a server name Agent would look for one in each request's headers.
    super({ keepAlive: true, servername: '' } as AgentOptions)
    this.#parts = parts
    this.removeAllListeners('free')
    this.on('free', this.#freed)
  }

  /** What is known of a socket that this pool gave. */
  connectionOf(socket: Duplex): Connection | undefined {
    return this.#connections.get(socket)
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
      connection.idle = false
      const { socket, idleSince, idleAtMost } = connection
      if (socket?.writable && performance.now() - idleSince < idleAtMost) {
        socket.ref()
        return connection
      }
      socket?.destroy()
    }
  }

  /** The connection lies idle from now on. Its last answer was whole. */
  keep(key: string, connection: Connection): void {
    const { socket } = connection
    let list = this.#kept.get(key)
    if (!list) {
      list = []
      this.#kept.set(key, list)
    }
    if (!socket?.writable || connection.idleAtMost <= 0 || list.length >= KEPT_AT_MOST) {
      socket?.destroy()
      return
    }
    connection.idle = true
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

  /** Ends all that lie idle. */
  drop(): void {
    this.sweep(Number.POSITIVE_INFINITY)
  }

  override destroy(): void {
    this.drop()
    super.destroy()
  }

  override getName(options?: Partial<CarriedOptions>): string {
    return options?.carried?.route.key ?? ''
  }

  override createConnection(
    options: CarriedOptions,
    give: (error: Error | null, socket?: Duplex) => void,
  ): undefined {
    const { carried } = options
    const kept = this.take(carried.route.key)
    if (kept?.socket) {
      give(null, kept.socket)
      return
    }
    const connection = newConnection()
    carried.opening(connection)
    openConnection(carried.route, connection, this.#parts).then(
      (socket) => {
        this.#connections.set(socket, connection)
        if (connection.abandoned) socket.destroy()
        give(null, socket)
      },
      (error: Error) => give(error),
    )
  }

  /** A request of node:http needs its connection no more. */
  readonly #freed = (
    socket: Socket & { _httpMessage?: ClientRequest | null },
    options: CarriedOptions,
  ): void => {
    const connection = this.#connections.get(socket)
    // Absent when the request ended before it had its connection: Agent cannot tell then whether anything went over it.
    if (!connection || !socket._httpMessage?.shouldKeepAlive) {
      socket.destroy()
      return
    }
    // Agent forgets it, with all its listeners.
    socket.emit('agentRemove')
    socket._httpMessage = null
    if (!connection.watched) watch(connection, socket)
    connection.socket = socket
    this.keep(this.getName(options), connection)
  }
}

/** Listens once for the whole life of a connection, for its present user; node:http's own listeners come and go beside these. */
function watch(connection: Connection, socket: Socket): void {
  connection.watched = true
  socket.on('data', (bytes: Buffer) => {
    // Bytes without a request must not be taken for the answer to the next one.
    if (connection.idle) socket.destroy()
    else connection.user?.came(bytes)
  })
  socket.on('end', () => connection.user?.ended())
  socket.on('error', (error) => connection.user?.broke(error))
  socket.on('close', () => connection.user?.ended())
}

import type { Socket } from 'node:net'
import { NO_ROOM, wireBytes } from './answers.ts'
import type { Connection } from './connection.ts'
import type { Context } from './context.ts'

/** A connection without a request may go after so many milliseconds when another wants its place. */
const IDLE_MS = 1_000
/** Refusals are told this often at most: a crowd makes thousands. */
const TOLD_EVERY_MS = 60_000
/** A refused sender has so many milliseconds to read why. */
const FAREWELL_MS = 1_000

/** Says which connections get in: so many in all, and so many of one address. */
export class Admission {
  readonly #context: Context
  readonly #connections: ReadonlySet<Connection>
  /** TLS cannot be answered in the clear. */
  readonly #secure: boolean
  readonly #perAddress = new Map<string, number>()
  #open = 0
  #refused = 0
  #toldAt = Number.NEGATIVE_INFINITY

  /** @param connections those that are open */
  constructor(context: Context, connections: ReadonlySet<Connection>, secure: boolean) {
    this.#context = context
    this.#connections = connections
    this.#secure = secure
  }

  /** Takes a place, or refuses the connection and tells. An idle connection gives up its place to one that may bring something. */
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

  /** @returns whether a connection, of that address if one is given, is on its way out */
  #makePlace(address: string | null): boolean {
    const latest = performance.now() - IDLE_MS
    let longest: Connection | undefined
    for (const connection of this.#connections)
      if (
        connection.lastByteAt <= (longest?.lastByteAt ?? latest) &&
        (address === null || connection.remoteAddress === address) &&
        connection.idle
      )
        longest = connection
    longest?.closeWhenIdle()
    return longest !== undefined
  }

  #refuse(socket: Socket, address: string): void {
    socket.on('error', () => socket.destroy())
    if (this.#secure) socket.destroy()
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

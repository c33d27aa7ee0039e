import { Duplex } from 'node:stream'
import type { Connection, ConnectionUser } from './connection.ts'

/** Stream of a connection for one exchange of node:http, whose own agent reuses connections by undocumented fields. */
export class Wire extends Duplex implements ConnectionUser {
  readonly connection: Connection
  readonly #mute: boolean
  #over = false
  #returned = false

  /** @param sent first bytes of the answer to a request that was sent directly; the request that node:http writes is then discarded */
  constructor(connection: Connection, sent?: Buffer) {
    super({ decodeStrings: false })
    this.connection = connection
    this.#mute = sent !== undefined
    connection.user = this
    if (sent) this.push(sent)
  }

  /** Whether the connection can be reused after a complete answer: it is open and has no unread bytes. */
  get clean(): boolean {
    return !this.destroyed && !this.#over && this.readableLength === 0
  }

  /** From now on the wire leaves the connection alone. */
  giveBack(): void {
    this.#returned = true
    this.destroy()
  }

  came(bytes: Buffer): void {
    if (!this.push(bytes)) this.connection.socket?.pause()
  }

  ended(): void {
    if (!this.#over && !this.destroyed) this.push(null)
    this.#over = true
  }

  broke(error: Error): void {
    this.destroy(error)
  }

  override _read(): void {
    this.connection.socket?.resume()
  }

  override _write(
    chunk: Buffer | string,
    encoding: BufferEncoding,
    done: (error?: Error | null) => void,
  ): void {
    const { socket } = this.connection
    if (this.#mute || !socket) done()
    else socket.write(chunk, encoding, done)
  }

  override _writev(
    chunks: readonly { chunk: Buffer | string; encoding: BufferEncoding }[],
    done: (error?: Error | null) => void,
  ): void {
    const { socket } = this.connection
    socket?.cork()
    for (const [index, { chunk, encoding }] of chunks.entries())
      this._write(chunk, encoding, index === chunks.length - 1 ? done : () => {})
    socket?.uncork()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (!this.#returned) {
      if (this.connection.user === this) this.connection.user = null
      this.connection.socket?.destroy()
    }
    done(error)
  }
}

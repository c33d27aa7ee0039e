import type { Socket } from 'node:net'
import { type ReadyAnswer, wireBytes } from './answers.ts'
import { type ReceiverTimes, SIZES } from './limits.ts'

/** A request whose head has come and whose body may still be coming. */
export interface Incoming {
  /** The body has come whole. */
  readonly complete: boolean
  /** Reading waits for the store, not for the sender. */
  readonly held: boolean
  /** `performance.now()` at the head's arrival. */
  readonly startedAt: number
  /** Keeps what came, says why it is not whole. */
  breakOff(why: 'cut-off' | 'timeout' | 'unparseable'): void
}

/**
 * What is known of one connection beside Node's HTTP layer: who is there, the bytes of a head that is not complete, and which
 * answers are still owed. Node hands out neither the bytes of a head that broke off nor the end of a queue of answers.
 */
export class Connection {
  readonly socket: Socket
  readonly remoteAddress: string
  readonly remotePort: number
  /** The request being received, or the last one. */
  incoming: Incoming | null = null
  /** `performance.now()` when bytes last came. */
  lastByteAt = performance.now()
  /** Nothing more is taken from it. */
  failed = false
  readonly #times: ReceiverTimes
  #owed = 0
  #head: Buffer[] = []
  #headSize = 0
  #lastChunk: Buffer | null = null
  #afterAnswers: { readonly owed: number; readonly run: () => void } | null = null

  constructor(socket: Socket, times: ReceiverTimes) {
    this.socket = socket
    this.#times = times
    // Asked now: a socket that is gone does not say who it was.
    this.remoteAddress = socket.remoteAddress ?? ''
    this.remotePort = socket.remotePort ?? 0
    // Ahead of the parser, so that a head is known before the parser complains of it.
    socket.prependListener('data', (chunk: Buffer) => this.#tap(chunk))
  }

  /** A body is still coming. */
  get receiving(): boolean {
    return this.incoming !== null && !this.incoming.complete
  }

  /** A head is complete: its bytes need not be kept any longer. */
  requestBegun(incoming: Incoming): void {
    this.incoming = incoming
    this.#owed++
    this.#forgetHead()
  }

  /** Closes when there is no request, no part of one, and no answer owed. */
  closeWhenIdle(): void {
    if (this.failed || this.#owed > 0 || this.receiving || this.#headSize > 0) return
    this.failed = true
    this.socket.destroySoon()
  }

  answerGone(): void {
    this.#owed--
    const waiting = this.#afterAnswers
    if (waiting && this.#owed <= waiting.owed) {
      this.#afterAnswers = null
      waiting.run()
    }
  }

  /**
   * The bytes of a head that is not complete, 64 KiB at most.
   * @param certain the parser says that something came: then, where it came in one packet with the end of the request before, that
   * whole packet is given, since nobody knows where the one ends and the other begins
   */
  headBytes(certain: boolean): { readonly bytes: Buffer; readonly fromStart: boolean } {
    const bytes = Buffer.concat(this.#head, Math.min(this.#headSize, SIZES.keptHead))
    if (bytes.length > 0 || !certain) return { bytes, fromStart: true }
    return { bytes: Buffer.from(this.#lastChunk?.subarray(0, SIZES.keptHead) ?? []), fromStart: false }
  }

  /**
   * Sends an answer past Node's HTTP layer and closes, after the answers to earlier requests have gone.
   * @param answer null where nobody is left to read one
   * @param own how many of the owed answers this one replaces: 1 for a request of its own, 0 for what never became one
   */
  refuse(answer: ReadyAnswer | null, own: 0 | 1): void {
    this.failed = true
    const send = () => {
      if (!answer || !this.socket.writable) {
        this.socket.destroySoon()
        return
      }
      this.socket.end(wireBytes(answer))
      this.#linger()
    }
    if (this.#owed <= own) send()
    else this.#afterAnswers = { owed: own, run: send }
  }

  /** Closing with unread bytes in the kernel would send a reset, which may overtake the answer: read on for a while. */
  #linger(): void {
    const { linger, lingerIdle } = this.#times
    const until = performance.now() + linger
    this.socket.resume()
    const timer = setInterval(
      () => {
        const now = performance.now()
        if (now >= until || now - this.lastByteAt >= lingerIdle) this.socket.destroy()
      },
      Math.min(250, lingerIdle),
    )
    this.socket.once('close', () => clearInterval(timer))
  }

  #tap(chunk: Buffer): void {
    this.lastByteAt = performance.now()
    if (this.failed) return
    this.#lastChunk = chunk
    if (this.receiving || this.#headSize >= SIZES.keptHead) return
    this.#head.push(chunk)
    this.#headSize += chunk.length
  }

  #forgetHead(): void {
    if (this.#headSize === 0) return
    this.#head = []
    this.#headSize = 0
  }
}

import type { Socket } from 'node:net'
import { type ReadyAnswer, TOO_SLOW, wireBytes } from './answers.ts'
import { type ReceiverTimes, SIZES } from './limits.ts'
import { type HeadHolder, HeadMeter, type Heads, type Turns } from './room.ts'

/** A read of so many bytes filled its buffer: more is waiting. TLS gives records of 16 KiB at most. */
const FULL_READ = 65_536
const FULL_TLS_READ = 16_384

/** A request whose head has come and whose body may still be coming. */
export interface Incoming {
  readonly complete: boolean
  /** Reading waits for the store, not for the sender. */
  readonly held: boolean
  /** `performance.now()` at the head's arrival. */
  readonly startedAt: number
  /** Milliseconds that the last bytes may have waited for us to read them. */
  readonly waited: number
  /** Keeps the bytes that arrived, and why they are not whole. */
  breakOff(why: 'cut-off' | 'timeout' | 'unparseable'): void
}

/** What a connection may be in that makes it give up its place to another. */
export type Waiting = 'refused' | 'idle' | 'head' | 'body'

/** What becomes of a head that is not whole. */
export interface HeadEvents {
  /** It is longer than a head may be, or the memory for heads is taken. */
  tooLarge(): void
  tooSlow(): void
}

/** One connection beside Node's HTTP layer, which gives neither the bytes of a head that broke off nor the end of a queue of answers. */
export class Connection implements HeadHolder {
  readonly socket: Socket
  readonly remoteAddress: string
  readonly remotePort: number
  /** The request being received, or the last one. */
  incoming: Incoming | null = null
  /** `performance.now()` when bytes last came. */
  lastByteAt = performance.now()
  /** Nothing more is taken from it. */
  failed = false
  /** It is kept as a head that is not whole. */
  headRefused = false
  readonly #times: ReceiverTimes
  /** Requests that have begun, and answers that have gone. Both are in the order of arrival, so a number is a place in it. */
  #begun = 0
  #gone = 0
  /** The place whose fate is the end of the connection. */
  #end = Number.POSITIVE_INFINITY
  #hanging = false
  readonly #turns: Turns
  readonly #fullRead: number
  /** For its turn to be read. */
  #waits = false
  readonly #meter: HeadMeter
  readonly #events: HeadEvents
  /** The memory for heads was taken: its sender waits for the end unread, since reading on would cost more than the connection does. */
  #unread = false
  /** `performance.now()` at the first bytes of the unfinished head; 0 without one. */
  #headAt = 0
  #refusedAt: number | undefined
  #head: Buffer[] = []
  #headSize = 0
  #lastChunk: Buffer | null = null
  readonly #queued: { readonly place: number; readonly run: () => void }[] = []
  readonly #leaving = new Set<() => void>()

  /** @param heads memory that all heads share @param turns that all connections take */
  constructor(socket: Socket, times: ReceiverTimes, heads: Heads, turns: Turns, events: HeadEvents) {
    this.socket = socket
    this.#turns = turns
    this.#fullRead = 'encrypted' in socket ? FULL_TLS_READ : FULL_READ
    this.#times = times
    this.#meter = new HeadMeter(heads, this)
    this.#events = events
    // Asked now: a socket that is gone does not say who it was.
    this.remoteAddress = socket.remoteAddress ?? ''
    this.remotePort = socket.remotePort ?? 0
    // Ahead of the parser, so that a head is known before the parser complains of it.
    socket.prependListener('data', (chunk: Buffer) => this.#tap(chunk))
    socket.once('close', () => {
      this.#meter.closed()
      // Node still tells of the answers that were owed, as if their turn had come.
      this.#queued.length = 0
      for (const left of this.#leaving) left()
    })
  }

  get receiving(): boolean {
    return this.incoming !== null && !this.incoming.complete
  }

  get last(): number {
    return this.#begun - 1
  }

  /** The place behind all requests that have begun. */
  get next(): number {
    return this.#begun
  }

  /** A head is complete: its bytes need not be kept any longer. @returns the request's place among those of the connection */
  requestBegun(incoming: Incoming): number {
    this.incoming = incoming
    this.#meter.complete()
    this.#forgetHead()
    return this.#begun++
  }

  /** Whether the sender had more to give than this read took. */
  isFull(chunk: Buffer): boolean {
    return chunk.length >= this.#fullRead
  }

  /** There is no request, no part of one, and no answer owed. */
  get idle(): boolean {
    return !this.receiving && this.#headSize === 0 && !this.failed && this.#begun === this.#gone
  }

  /** Since when it waits for its sender in this way (`performance.now()`); undefined where it does not. */
  since(waiting: Waiting): number | undefined {
    if (waiting === 'refused') return this.#refusedAt
    if (waiting === 'idle') return this.idle ? this.lastByteAt : undefined
    if (this.failed || this.#waits) return undefined
    if (waiting === 'head') return this.#headAt || undefined
    return this.receiving && !this.incoming?.held ? this.lastByteAt : undefined
  }

  /** Ends an unfinished request for senders who need its place or its memory. Its bytes are kept. */
  giveWay(): void {
    if (this.#headAt > 0) this.#dropParser()
    this.#events.tooSlow()
  }

  /** Closes when there is no request, no part of one, and no answer owed that will ever go out. */
  closeWhenIdle(): void {
    if (this.receiving || this.#headSize > 0) return
    if (this.#hanging) this.socket.destroy()
    if (this.failed || this.#begun > this.#gone) return
    this.failed = true
    this.socket.destroySoon()
  }

  answerGone(): void {
    this.#gone++
    this.#meter.answered()
    for (let first = this.#queued[0]; first && first.place <= this.#gone; first = this.#queued[0]) {
      this.#queued.shift()
      first.run()
    }
  }

  /** Whether the sender can still take the answer at this place. */
  reaches(place: number): boolean {
    return this.socket.writable && place <= this.#end
  }

  /** @param left runs when the connection has closed @returns a function that forgets it */
  onLeft(left: () => void): () => void {
    this.#leaving.add(left)
    return () => this.#leaving.delete(left)
  }

  /** Runs `end` once all answers before this place have gone; answers behind it reach no sender. */
  endAt(place: number, end: () => void): void {
    if (place > this.#end) return
    this.#end = place
    this.#inTurn(place, end)
  }

  /** Ends with a TCP reset. Under TLS there is none to be had from Node: the connection breaks without TLS's own farewell. */
  reset(): void {
    if ('encrypted' in this.socket) this.socket.destroy()
    else this.socket.resetAndDestroy()
  }

  /** Nothing is sent any more; for tests of a sender's time-outs. It ends when the sender leaves, and in any case in time. */
  hang(): void {
    this.#hanging = true
    const { socket } = this
    const timer = setTimeout(() => socket.destroy(), this.#times.hang).unref()
    const since = performance.now()
    // A sender that waits for an answer closes its half with the request, if at all; one that closes it later is leaving.
    socket.once('end', () => {
      if (performance.now() - since >= this.#times.halfClose) socket.destroy()
    })
    socket.once('close', () => clearTimeout(timer))
  }

  /**
   * The bytes of an incomplete head, 64 KiB at most. @param certain something came: a packet that also ends the request before it is given
   * whole then, since it is not known where the one ends and the other begins
   */
  headBytes(certain: boolean): { readonly bytes: Buffer; readonly fromStart: boolean } {
    const bytes = Buffer.concat(this.#head, Math.min(this.#headSize, SIZES.keptHead))
    if (bytes.length > 0 || !certain) return { bytes, fromStart: true }
    return { bytes: Buffer.from(this.#lastChunk?.subarray(0, SIZES.keptHead) ?? []), fromStart: false }
  }

  /** Sends an answer past Node's HTTP layer, after those before its place, and closes. @param answer null where the sender is gone */
  refuse(answer: ReadyAnswer | null, place: number): void {
    this.failed = true
    // Kept by now; the sender may stay for seconds.
    this.#head = []
    this.#lastChunk = null
    this.#inTurn(place, () => this.sendLast(answer && wireBytes(answer), this.#patience(answer)))
  }

  /** How long its sender may go on after a refusal: with a head, no longer than it had for the head. */
  #patience(answer: ReadyAnswer | null): number {
    const { linger, lingerSlow, head } = this.#times
    if (answer?.status === TOO_SLOW.status) return lingerSlow
    if (this.#headAt === 0) return linger
    return Math.max(lingerSlow, Math.min(linger, this.#headAt + head - performance.now()))
  }

  /** Sends these bytes past Node's HTTP layer and closes. */
  sendLast(bytes: Buffer | null, patience = this.#times.linger): void {
    if (!bytes || !this.socket.writable) {
      this.socket.destroySoon()
      return
    }
    this.socket.end(bytes)
    this.#linger(patience)
  }

  #inTurn(place: number, run: () => void): void {
    if (place <= this.#gone) {
      run()
      return
    }
    this.#queued.push({ place, run })
    this.#queued.sort((a, b) => a.place - b.place)
  }

  /** Closing with unread bytes in the kernel would send a reset, which may overtake the answer: read on for a while. */
  #linger(patience: number): void {
    const { lingerIdle } = this.#times
    this.#refusedAt = performance.now()
    const until = this.#refusedAt + patience
    if (!this.#waits && !this.#unread) this.socket.resume()
    const timer = setInterval(
      () => {
        const now = performance.now()
        const idle = !this.#waits && !this.#unread && now - this.lastByteAt >= lingerIdle
        if (now >= until || idle) this.socket.destroy()
      },
      Math.min(250, lingerIdle, patience),
    )
    this.socket.once('close', () => clearInterval(timer))
  }

  #tap(chunk: Buffer): void {
    this.lastByteAt = performance.now()
    // A body takes turns of its own, since Node's HTTP layer starts and stops the reading of bodies.
    if (this.isFull(chunk) && (this.failed || !this.receiving)) this.#waitForTurn()
    if (this.failed) return
    this.#lastChunk = chunk
    if (this.receiving) return
    if (this.#headAt === 0) this.#headAt = this.lastByteAt
    const takes = this.#meter.takes(chunk)
    if (this.#headSize < SIZES.keptHead) {
      this.#head.push(chunk)
      this.#headSize += chunk.length
    }
    if (takes === 'yes') return
    this.#unread = takes === 'no-room'
    if (this.#unread) this.socket.pause()
    this.#dropParser()
    this.#events.tooLarge()
  }

  /** It would go on with the head: nothing reaches it any more but the chunk that it has. */
  #dropParser(): void {
    this.headRefused = true
    this.socket.removeAllListeners('data')
    this.socket.on('data', (rest: Buffer) => this.#tap(rest))
  }

  #waitForTurn(): void {
    this.socket.pause()
    if (this.#waits) return
    this.#waits = true
    // Heads are read one after the other: side by side they would fill the memory that all share, and none would become whole.
    const begun = !this.failed && this.#headSize > 0
    this.#turns.wait(() => {
      this.#waits = false
      if (!this.#unread) this.socket.resume()
    }, begun)
  }

  #forgetHead(): void {
    this.#headAt = 0
    if (this.#headSize === 0) return
    this.#head = []
    this.#headSize = 0
  }
}

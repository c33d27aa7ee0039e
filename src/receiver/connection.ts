import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type ReadyAnswer, TOO_SLOW, wireBytes } from './answers.ts'
import { watchReads } from './direct-reads.ts'
import { HEADS, type ReceiverTimes, SIZES } from './limits.ts'
import { type HeadHolder, HeadMeter, type Heads, type Turns } from './room.ts'

/** A read of this size filled its buffer, so more bytes are waiting. TLS records have 16 KiB at most. */
const FULL_READ = 65_536
const FULL_TLS_READ = 16_384

/** A request with a complete head, whose body may still be arriving. */
export interface Incoming {
  readonly complete: boolean
  /** Whether reading waits for the store instead of the sender. */
  readonly held: boolean
  /** `performance.now()` at the head's arrival. */
  readonly startedAt: number
  /** Milliseconds that the last bytes may have waited before the receiver read them. */
  readonly waited: number
  /** Ends the request and stores the bytes received, with the reason. */
  breakOff(why: 'cut-off' | 'timeout' | 'unparseable'): void
}

type Head = Pick<IncomingMessage, 'url' | 'rawHeaders'>

/** States in which a connection can lose its place to a new one. */
export type Waiting = 'refused' | 'idle' | 'head' | 'body'

/** Events that end an unfinished head. */
export interface HeadEvents {
  /** The head exceeds the limit, or the memory for heads is used up. */
  tooLarge(): void
  tooSlow(): void
}

/** Tracks one connection beside Node's HTTP layer, which tells neither the bytes of an incomplete head nor the end of queued answers. */
export class Connection implements HeadHolder {
  readonly socket: Socket
  readonly remoteAddress: string
  readonly remotePort: number
  /** The request being received, or the last one. */
  incoming: Incoming | null = null
  /** `performance.now()` at the last bytes. */
  lastByteAt = performance.now()
  /** The receiver ignores all further bytes. */
  failed = false
  readonly #times: ReceiverTimes
  /** Numbers of begun requests and finished answers. Both follow the order of arrival, so a number is also a place in that order. */
  #begun = 0
  #gone = 0
  /** Place of the request that ends the connection. */
  #end = Number.POSITIVE_INFINITY
  #hanging = false
  readonly #turns: Turns
  readonly #fullRead: number
  /** Reading waits for this connection's turn. */
  #waits = false
  readonly #meter: HeadMeter
  readonly #events: HeadEvents
  /** The request is stored as an incomplete head. */
  #headRefused = false
  /** The memory for heads was used up: the sender stays unread until the end, as reading would cost more than the open connection. */
  #unread = false
  /** `performance.now()` at the first bytes of the unfinished head; 0 without one. */
  #headAt = 0
  #refusedAt: number | undefined
  #head: Buffer[] = []
  #headSize = 0
  #lastChunk: Buffer | null = null
  /** Whether the last chunk filled its read; false with direct reads. */
  #full = false
  readonly #queued: { readonly place: number; readonly run: () => void }[] = []
  readonly #leaving = new Set<() => void>()
  /** Copies the bytes that Node's parser is reading; null when it gets them through the socket's listeners. */
  #current: (() => Buffer) | null
  /** Whether the parser is within a head. */
  #headOpen = false
  /** `#begun` and `receiving` at the end of the last direct read. */
  #begunBefore = 0
  #receivingBefore = false

  /** @param heads memory that all heads share @param turns order in which connections are read */
  constructor(socket: Socket, times: ReceiverTimes, heads: Heads, turns: Turns, events: HeadEvents) {
    this.socket = socket
    this.#turns = turns
    this.#fullRead = 'encrypted' in socket ? FULL_TLS_READ : FULL_READ
    this.#times = times
    this.#meter = new HeadMeter(heads, this)
    this.#events = events
    // Read now: a closed socket no longer tells its address.
    this.remoteAddress = socket.remoteAddress ?? ''
    this.remotePort = socket.remotePort ?? 0
    this.#current = watchReads(socket, {
      headBegan: () => {
        this.#headOpen = true
      },
      read: (size) => this.#read(size),
    })
    if (!this.#current) this.#listen()
    socket.once('close', () => {
      this.#meter.closed()
      // Node also reports `close` for answers that were never sent, which must not run the queue.
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

  /** The place of the next request. */
  get next(): number {
    return this.#begun
  }

  /** Call when a head is complete. @returns false when it was refused in the packet that completed it; then it is stored already */
  takesHead(head: Head): boolean {
    if (this.#current && costOf(head) > HEADS.free) this.#tap(this.#current())
    return !this.#headRefused
  }

  /** Call after `takesHead`; drops the head's bytes. @returns the request's place among those of the connection */
  requestBegun(incoming: Incoming): number {
    this.incoming = incoming
    this.#headOpen = false
    this.#meter.complete()
    this.#forgetHead()
    if (this.#full) this.#waitForTurn()
    return this.#begun++
  }

  /** Whether the sender has more bytes waiting after this read. */
  isFull(chunk: Buffer): boolean {
    return chunk.length >= this.#fullRead
  }

  /** Whether there is no request, no part of one and no pending answer. */
  get idle(): boolean {
    return !this.receiving && this.#headSize === 0 && !this.failed && this.#begun === this.#gone
  }

  /** Since when the connection waits in this state (`performance.now()`); undefined when it is not in it. */
  since(waiting: Waiting): number | undefined {
    if (waiting === 'refused') return this.#refusedAt
    if (waiting === 'idle') return this.idle ? this.lastByteAt : undefined
    if (this.failed || this.#waits) return undefined
    if (waiting === 'head') return this.#headAt || undefined
    return this.receiving && !this.incoming?.held ? this.lastByteAt : undefined
  }

  /** Ends an unfinished request, to free its place or memory for other senders. Its bytes are stored. */
  giveWay(): void {
    if (this.#headAt > 0) this.#dropParser()
    this.#events.tooSlow()
  }

  /** Closes the connection unless it has a request, a part of one, or a pending answer that will be sent. */
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

  /** Whether the answer at this place can still reach the sender. */
  reaches(place: number): boolean {
    return this.socket.writable && place <= this.#end
  }

  /** @param left called when the connection closes @returns a function that removes it */
  onLeft(left: () => void): () => void {
    this.#leaving.add(left)
    return () => this.#leaving.delete(left)
  }

  /** Runs `end` after all answers before this place; later answers are not sent. */
  endAt(place: number, end: () => void): void {
    if (place > this.#end) return
    this.#end = place
    this.#inTurn(place, end)
  }

  /** Ends the connection with a TCP reset. Node cannot do that under TLS, so there it closes without TLS's close message. */
  reset(): void {
    if ('encrypted' in this.socket) this.socket.destroy()
    else this.socket.resetAndDestroy()
  }

  /** Sends nothing more, to test a sender's time-outs. The connection ends when the sender leaves, or after `times.hang`. */
  hang(): void {
    this.#hanging = true
    const { socket } = this
    const timer = setTimeout(() => socket.destroy(), this.#times.hang).unref()
    const since = performance.now()
    // A sender that closes its half together with the request still waits; a later close means that the sender leaves.
    socket.once('end', () => {
      if (performance.now() - since >= this.#times.halfClose) socket.destroy()
    })
    socket.once('close', () => clearTimeout(timer))
  }

  /**
   * The bytes of an incomplete head, 64 KiB at most. @param certain bytes of a request did arrive: if none were recorded as a head, the
   * result is the whole last packet, because the previous request ends in it at an unknown place
   */
  headBytes(certain: boolean): { readonly bytes: Buffer; readonly fromStart: boolean } {
    const bytes = Buffer.concat(this.#head, Math.min(this.#headSize, SIZES.keptHead))
    if (bytes.length > 0 || !certain) return { bytes, fromStart: true }
    return { bytes: Buffer.from(this.#lastChunk?.subarray(0, SIZES.keptHead) ?? []), fromStart: false }
  }

  /** Sends an answer without Node's HTTP layer, after all earlier answers, and closes. @param answer null when the sender has left */
  refuse(answer: ReadyAnswer | null, place: number): void {
    this.failed = true
    // The bytes are stored; free them, as the sender may stay for seconds.
    this.#head = []
    this.#lastChunk = null
    this.#inTurn(place, () => this.sendLast(answer && wireBytes(answer), this.#lingerFor(answer)))
  }

  /** How long the sender may continue after a refusal; with an unfinished head, not beyond the time limit of the head. */
  #lingerFor(answer: ReadyAnswer | null): number {
    const { linger, lingerSlow, head } = this.#times
    if (answer?.status === TOO_SLOW.status) return lingerSlow
    if (this.#headAt === 0) return linger
    return Math.max(lingerSlow, Math.min(linger, this.#headAt + head - performance.now()))
  }

  /** Sends bytes without Node's HTTP layer and closes. */
  sendLast(bytes: Buffer | null, lingerMs = this.#times.linger): void {
    if (!bytes || !this.socket.writable) {
      this.socket.destroySoon()
      return
    }
    this.socket.end(bytes)
    this.#linger(lingerMs)
  }

  #inTurn(place: number, run: () => void): void {
    if (place <= this.#gone) run()
    else {
      this.#queued.push({ place, run })
      this.#queued.sort((a, b) => a.place - b.place)
    }
  }

  /** Reads on for a while: closing with unread bytes in the kernel would send a reset, which may overtake the answer. */
  #linger(lingerMs: number): void {
    const { lingerIdle } = this.#times
    this.#refusedAt = performance.now()
    const until = this.#refusedAt + lingerMs
    if (!this.#waits && !this.#unread) this.socket.resume()
    const timer = setInterval(
      () => {
        const now = performance.now()
        const idle = !this.#waits && !this.#unread && now - this.lastByteAt >= lingerIdle
        if (now >= until || idle) this.socket.destroy()
      },
      Math.min(250, lingerIdle, lingerMs),
    )
    this.socket.once('close', () => clearInterval(timer))
  }

  /** Receives all further bytes before the parser does, so that the head's bytes are known when the parser reports an error. */
  #listen(): void {
    this.#current = null
    this.socket.prependListener('data', (chunk: Buffer) => this.#tap(chunk))
  }

  /** Call after a direct read. Most contain whole heads, and their bytes are not needed. */
  #read(size: number | null): void {
    const current = this.#current
    if (!current) return
    this.lastByteAt = performance.now()
    const began = this.#begun > this.#begunBefore
    const received = this.#receivingBefore
    this.#begunBefore = this.#begun
    this.#receivingBefore = this.receiving
    // Bytes of requests whose heads are complete.
    const known = began || received
    // Empty lines before a head belong to it, and the parser skips them without a word.
    if (size === null || this.#headOpen || !known) {
      this.#listen()
      // Behind other requests, the head begins at an unknown place.
      if (known) this.#lastChunk = current()
      else this.#tap(current())
    } else if (size >= this.#fullRead && (this.failed || began || !received)) this.#waitForTurn()
  }

  #tap(chunk: Buffer): void {
    this.lastByteAt = performance.now()
    // The Exchange waits for the turns of a body, since Node's HTTP layer pauses and resumes bodies.
    this.#full = this.isFull(chunk)
    if (this.#full && (this.failed || !this.receiving)) this.#waitForTurn()
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

  /** Detaches Node's parser, which would continue with the head. It gets only the current chunk. */
  #dropParser(): void {
    this.#headRefused = true
    this.#current = null
    this.socket.removeAllListeners('data')
    this.socket.on('data', (rest: Buffer) => this.#tap(rest))
  }

  #waitForTurn(): void {
    this.socket.pause()
    if (this.#waits) return
    this.#waits = true
    // With each request of this read, Node resumes the socket in a tick, and the system's next bytes would follow at once.
    queueMicrotask(() => this.#waits && this.socket.pause())
    // Begun heads go first: read in parallel, heads would use up the shared memory, and none would be completed.
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

/** Memory of a parsed head, counted like HeadMeter. */
function costOf({ url, rawHeaders }: Head): number {
  let cost = (url?.length ?? 0) + rawHeaders.length * (HEADS.lineCost / 2)
  for (const text of rawHeaders) cost += text.length
  return cost
}

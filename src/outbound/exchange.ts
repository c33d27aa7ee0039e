import { type ClientRequest, type ClientRequestArgs, type IncomingMessage, request } from 'node:http'
import type { Duplex } from 'node:stream'
import { messageOf } from '#contract/errors.ts'
import type { AttemptError, Timings } from '#contract/replay.ts'
import type { Outcome, OutgoingRequest } from '#core/replay/ports.ts'
import { AnswerBody, idleAtMost } from './answer.ts'
import { askedForCredentials, type Connection, type Route } from './connection.ts'
import { type Exchanging, explainExchange } from './explain.ts'
import {
  bodyGone,
  CANCELLED,
  type Deadlines,
  explainOverdue,
  explainUnsendable,
  type Reached,
  type Timed,
} from './own-ends.ts'
import { latin1, TOGETHER_AT_MOST } from './plain-http.ts'
import type { Pool } from './pool.ts'
import { Wire } from './wire.ts'

/** Maximum bytes of an answer's head. */
const HEAD_AT_MOST = 1024 * 1024

export interface ExchangeParts {
  readonly pool: Pool
  readonly deadlines: Deadlines
  /** Maximum bytes kept of an answer's body. */
  readonly answerKept?: number | undefined
}

/** A request already sent over `wire`, whose answer must be read. */
export interface Begun {
  readonly wire: Wire
  /** Milliseconds of performance.now(); `sentAt` is 0 while the request is incomplete. */
  readonly startedAt: number
  readonly sentAt: number
}

export class Exchange implements Timed {
  dueAt: number
  readonly #route: Route
  slot = 0
  readonly signal: AbortSignal | undefined
  readonly #request: OutgoingRequest
  readonly #parts: ExchangeParts
  #wire: Wire | undefined
  readonly #startedAt: number
  #end: (outcome: Outcome) => void = () => {}
  #ended = false
  #call: ClientRequest | undefined
  #connection: Connection | undefined
  #pieces: Iterator<Uint8Array> | undefined
  #written = 0
  #readyAt = 0
  #sentAt = 0
  #firstAt = 0
  #answer: IncomingMessage | undefined
  #body: AnswerBody | undefined

  constructor(
    outgoing: OutgoingRequest,
    route: Route,
    parts: ExchangeParts,
    signal: AbortSignal | undefined,
    begun?: Begun,
  ) {
    this.signal = signal
    this.#wire = begun?.wire
    this.#startedAt = begun?.startedAt ?? performance.now()
    this.#request = outgoing
    this.#route = route
    this.#parts = parts
    const { connectMs, totalMs, answerMs } = outgoing.timeouts
    this.dueAt = this.#startedAt + Math.min(totalMs, begun ? Number.POSITIVE_INFINITY : connectMs)
    if (!begun) return
    this.#connection = begun.wire.connection
    this.#readyAt = begun.startedAt
    this.#sentAt = begun.sentAt
    if (begun.sentAt !== 0) this.dueAt = Math.min(this.dueAt, begun.sentAt + answerMs)
  }

  /** @param path sent without changes */
  run(path: string): Promise<Outcome> {
    return new Promise((resolve) => {
      this.#end = resolve
      this.#parts.deadlines.add(this)
      try {
        const call = request(this.#options(path))
        this.#call = call
        call.maxHeadersCount = 0
        if (this.#readyAt === 0) call.on('socket', this.#ready)
        call.on('finish', this.#sent)
        call.on('response', this.#answered)
        call.on('upgrade', this.#switched)
        call.on('error', this.#failed)
      } catch (error) {
        // Nothing was sent: node:http checks the head before it connects.
        this.#settle(explainUnsendable(error, this.#request))
        return
      }
      this.#write()
    })
  }

  overdue(): void {
    const total = performance.now() >= this.#startedAt + this.#request.timeouts.totalMs
    const phase = total ? 'total' : this.#readyAt === 0 ? 'connect' : 'answer'
    const { address, proxy } = this.#route
    this.#settle(explainOverdue(phase, this.#request.timeouts, address, proxy, this.#reached()))
  }

  /** How far the connection got. */
  #reached(): Reached {
    const { socket, connectMs } = this.#connection ?? {}
    if (!socket) return 'lookup'
    return connectMs === null ? 'connect' : 'tls'
  }

  cancel(): void {
    this.#settle(CANCELLED)
  }

  #options(path: string): ClientRequestArgs {
    const { method, headers } = this.#request
    const { address, proxy } = this.#route
    // A proxy needs the absolute URL (RFC 9112, 3.2.2).
    const proxied = proxy && !address.secure
    const credentials = proxied ? proxy.authorization : null
    return {
      method,
      path: proxied ? `${address.origin}${path}` : path,
      headers: credentials === null ? headers : [...headers, 'Proxy-Authorization', credentials],
      setDefaultHeaders: false,
      maxHeaderSize: HEAD_AT_MOST,
      createConnection: (_options, give) => this.#connect(give),
    }
  }

  /** @param give called later if a new connection is needed */
  #connect(give: (error: Error | null, socket: Duplex) => void): Wire | undefined {
    const wireOf = (connection: Connection): Wire => {
      this.#wire = new Wire(connection)
      return this.#wire
    }
    if (this.#wire) return this.#wire
    const { pool } = this.#parts
    const kept = pool.take(this.#route.key)
    if (kept) return wireOf(kept)
    pool
      .open(this.#route, (connection) => {
        this.#connection = connection
      })
      .then(
        (connection) => give(null, wireOf(connection)),
        (error: Error) => this.#failed(error),
      )
    return undefined
  }

  readonly #ready = (): void => {
    this.#readyAt = performance.now()
    this.#connection = this.#wire?.connection
    if (this.#connection) this.#connection.uses++
    this.dueAt = this.#startedAt + this.#request.timeouts.totalMs
  }

  readonly #sent = (): void => {
    if (this.#sentAt !== 0) return
    this.#sentAt = performance.now()
    if (this.#firstAt === 0) this.dueAt = Math.min(this.dueAt, this.#sentAt + this.#request.timeouts.answerMs)
  }

  /** Writes pieces until the connection applies back-pressure; the last piece goes out with the end. */
  readonly #write = (): void => {
    const { body } = this.#request
    const call = this.#call
    if (this.#ended || !call) return
    try {
      if (body.size === 0) {
        call.end()
        return
      }
      this.#pieces ??= body.pieces()[Symbol.iterator]()
      for (;;) {
        const next = this.#pieces.next()
        if (next.done) break
        this.#written += next.value.length
        if (this.#written > body.size) break
        if (this.#written === body.size) {
          // As Latin-1 text, a small body goes out together with the head, for half the cost of two writes.
          if (body.size <= TOGETHER_AT_MOST) call.end(latin1(next.value), 'latin1')
          else call.end(next.value)
          return
        }
        if (!call.write(next.value)) {
          call.once('drain', this.#write)
          return
        }
      }
      // The head promised `size` bytes; another length would corrupt the request.
      this.#settle(bodyGone(`it has ${this.#written} bytes instead of ${body.size}`))
    } catch (error) {
      this.#settle(bodyGone(messageOf(error)))
    }
  }

  readonly #answered = (answer: IncomingMessage): void => {
    this.#firstAt = performance.now()
    this.dueAt = this.#startedAt + this.#request.timeouts.totalMs
    this.#answer = answer
    const body = new AnswerBody(this.#parts.answerKept)
    this.#body = body
    answer.on('data', (piece: Buffer) => {
      // Stop reading at the limit; the rest would only be counted.
      if (!body.take(piece) || this.#request.watch?.(piece) === false) this.#settle(null)
    })
    answer.on('end', this.#whole)
    answer.on('error', this.#failed)
  }

  readonly #whole = (): void => {
    const answer = this.#answer
    if (this.#connection && answer)
      this.#connection.idleAtMost = idleAtMost(answer.rawHeaders, answer.httpVersion)
    const { proxy, address } = this.#route
    const asked = answer?.statusCode === 407 && !address.secure ? proxy : null
    this.#settle(asked && askedForCredentials(asked))
  }

  /** After a 101 the answer is complete, and the connection switches to another protocol. */
  readonly #switched = (answer: IncomingMessage, socket: Duplex): void => {
    this.#firstAt = performance.now()
    this.#answer = answer
    this.#body = new AnswerBody()
    socket.destroy()
    this.#settle(null)
  }

  readonly #failed = (error: Error): void => {
    if (this.#ended) return
    const phase: Exchanging = this.#firstAt !== 0 ? 'receive' : this.#sentAt !== 0 ? 'wait' : 'send'
    const kept = (this.#connection?.uses ?? 0) > 1
    // The stream may still hold bytes from before the error; reading passes them to the listener.
    while (this.#answer?.read());
    // Extra bytes after a complete answer, such as a body after a 204, make the connection unusable, not the answer.
    if (this.#answer?.complete) this.#whole()
    this.#settle(explainExchange(error, phase, this.#route.address, kept))
  }

  #settle(error: AttemptError | null): void {
    if (this.#ended) return
    this.#ended = true
    this.#parts.deadlines.delete(this)
    const call = this.#call
    const wire = this.#wire
    // A connection with an incomplete request or answer cannot be reused.
    if (this.#answer?.complete && call?.writableFinished && wire?.clean) {
      wire.giveBack()
      this.#parts.pool.keep(this.#route.key, wire.connection)
    } else {
      if (this.#readyAt === 0) this.#connection?.abandon()
      call?.destroy()
      this.#pieces?.return?.()
    }
    this.#end(this.#outcome(error))
  }

  #outcome(error: AttemptError | null): Outcome {
    const now = performance.now()
    const answer = this.#answer
    const body = this.#body
    return {
      answer:
        answer && body
          ? {
              status: answer.statusCode ?? 0,
              statusText: answer.statusMessage ?? '',
              headers: answer.rawHeaders,
              body: body.kept(),
              size: body.size,
            }
          : null,
      error,
      timings: this.#timings(now),
      address: this.#connection?.address ?? null,
      reusedConnection: (this.#connection?.uses ?? 0) > 1,
      tookUs: microseconds(now - this.#startedAt),
    }
  }

  /** An unfinished phase gets the time spent so far. */
  #timings(now: number): Timings {
    const connection = this.#connection
    const fresh = connection && connection.uses <= 1 ? connection : null
    const readyAt = this.#readyAt
    const sentAt = this.#sentAt
    const firstAt = this.#firstAt
    return {
      lookupUs: spanned(fresh?.lookupMs),
      connectUs: spanned(fresh?.connectMs),
      tlsUs: spanned(fresh?.tlsMs),
      sendUs: readyAt === 0 ? null : microseconds((sentAt || firstAt || now) - readyAt),
      // An answer may come before the request is complete.
      waitUs: sentAt === 0 ? null : microseconds(Math.max(0, (firstAt || now) - sentAt)),
      receiveUs: firstAt === 0 ? null : microseconds(now - firstAt),
    }
  }
}

export const microseconds = (ms: number): number => Math.round(ms * 1_000)
const spanned = (ms: number | null | undefined): number | null =>
  ms === null || ms === undefined ? null : microseconds(ms)

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Malformed } from '#contract/delivery.ts'
import type { NewDelivery, StoredBody } from '#core/ports.ts'
import {
  EXPECTATION_FAILED,
  NOT_STORED,
  type ReadyAnswer,
  TOO_LARGE,
  TOO_SLOW,
  UNAUTHORIZED,
  UNPARSEABLE,
  withoutBody,
} from './answers.ts'
import { type BodyEvents, BodyReader } from './body-reader.ts'
import type { Connection, Incoming } from './connection.ts'
import type { Context } from './context.ts'
import { SIZES } from './limits.ts'
import { refuse, reply, respond, type Stored } from './reply.ts'
import { endpointFor, type ReadyEndpoint, secretMatches } from './rules.ts'

/** Answers to malformed requests; null when the sender has left. CONNECT is handled in broken.ts. */
const REFUSALS: { readonly [M in Malformed]: ReadyAnswer | null } = {
  unparseable: UNPARSEABLE,
  expectation: EXPECTATION_FAILED,
  connect: null,
  'cut-off': null,
  timeout: TOO_SLOW,
  'too-large': TOO_LARGE,
}

/** One request from its head to its answer: read raw, store, answer, in this order (readings, Delivery). */
export class Exchange implements Incoming, BodyEvents {
  readonly startedAt = performance.now()
  readonly #context: Context
  readonly #connection: Connection
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #receivedAt: number
  readonly #endpoint: ReadyEndpoint
  readonly #body: BodyReader
  readonly #expectation: boolean
  readonly #rejected: boolean
  readonly #place: number
  #readAt = 0
  /** See Incoming. */
  waited = 0
  /** The next bytes may have waited before the receiver read them. */
  #behind = false
  /** Number of reasons to pause reading: the store is behind, or other connections have their turn. */
  #holds = 0
  #heldAt = 0
  #dataAt = 0
  #concluded = false

  /** @param expectation whether the request has an `Expect` that cannot be met */
  constructor(
    context: Context,
    connection: Connection,
    request: IncomingMessage,
    response: ServerResponse,
    expectation: boolean,
  ) {
    this.#context = context
    this.#connection = connection
    this.#request = request
    this.#response = response
    this.#expectation = expectation
    this.#receivedAt = context.now()
    const rules = context.rules()
    this.#endpoint = endpointFor(rules, request.url ?? '')
    const { secret } = this.#endpoint
    this.#rejected = secret !== null && !secretMatches(secret, request.rawHeaders)
    const kept = this.#rejected ? SIZES.rejectedBody : rules.bodyLimit
    this.#body = new BodyReader(context.capture, rules.bodyLimit, kept, context.bodies, this)
    this.#place = connection.requestBegun(this)
    response.on('close', () => connection.answerGone())
  }

  get complete(): boolean {
    return this.#concluded || this.#request.complete
  }

  get held(): boolean {
    return this.#holds > 0
  }

  receive(): void {
    const request = this.#request
    request.on('data', (chunk: Buffer) => {
      if (this.#concluded) return
      const now = performance.now()
      // These bytes did not wait for the receiver, so the time since the last read reduces the allowance.
      if (!this.#behind) this.waited = Math.max(0, this.waited - (now - this.#dataAt))
      this.#dataAt = now
      const full = this.#connection.isFull(chunk)
      this.#behind = full
      try {
        this.#body.take(chunk)
      } catch (error) {
        this.storeFailed(error)
      }
      if (this.#concluded || !full) return
      this.hold(0)
      this.#context.turns.wait(() => this.release(0))
    })
    request.on('end', () => this.#conclude(this.#expectation ? 'expectation' : null))
    request.on('error', () => this.#conclude('cut-off'))
    if (this.#expectation) {
      // A sender with `Expect` may wait for an answer before it sends the body.
      const timer = setTimeout(() => this.#conclude('expectation'), this.#context.times.expectationBody)
      this.#response.on('close', () => clearTimeout(timer))
    }
  }

  hold(bytes: number): void {
    this.#context.turns.storing(bytes)
    if (this.#holds++ === 0) this.#heldAt = performance.now()
    this.#behind = true
    this.#request.pause()
  }

  release(bytes: number): void {
    this.#context.turns.stored(bytes)
    this.#holds--
    if (this.#holds > 0) return
    this.waited += performance.now() - this.#heldAt
    this.#request.resume()
  }

  breakOff(why: 'cut-off' | 'timeout' | 'unparseable'): void {
    // The parser fails within a packet, and the bytes before that place are still in the stream. `read` passes them to the data listener.
    while (!this.#concluded && this.#request.read() !== null);
    this.#conclude(why)
  }

  #conclude(malformed: Malformed | null): void {
    if (this.#concluded) return
    this.#concluded = true
    // Further bytes belong to this request, and must not start another one.
    if (malformed !== null) this.#connection.failed = true
    this.#readAt = performance.now()
    const body = malformed === 'too-large' ? this.#body.head() : this.#body.inMemory()
    if (body) this.#store(malformed, body)
    else
      this.#context.track(
        this.#body.finish().then(
          (stored) => this.#store(malformed, stored),
          (error: unknown) => this.#refuseUnstored(error, malformed),
        ),
      )
  }

  #store(malformed: Malformed | null, body: Buffer | StoredBody): void {
    const rejected = this.#rejected
    const answer = this.#answer(malformed, rejected)
    const delivery: NewDelivery = {
      receivedAt: this.#receivedAt,
      receivingUs: Math.round((this.#readAt - this.startedAt) * 1000),
      endpoint: this.#endpoint.name,
      method: this.#request.method ?? '',
      url: this.#request.url ?? '',
      httpVersion: this.#request.httpVersion,
      remoteAddress: this.#connection.remoteAddress,
      remotePort: this.#connection.remotePort,
      headers: this.#request.rawHeaders,
      trailers: this.#request.rawTrailers,
      body,
      // Rejected, or beyond the limit: the bytes received, of which only the beginning is kept.
      bodySize: this.#body.size,
      answer,
      rejected,
      authenticated: this.#endpoint.secret !== null && !rejected,
      malformed,
    }
    const size = SIZES.request + (body instanceof Uint8Array ? body.length : 0)
    this.#context.turns.storing(size)
    const stored = this.#context.capture.append(delivery).then(
      ({ id }) => {
        this.#context.turns.stored(size)
        this.#body.release()
        this.#context.trouble.stored()
        this.#answerTo(delivery, answer, id)
      },
      (error: unknown) => {
        this.#context.turns.stored(size)
        this.#refuseUnstored(error, malformed)
      },
    )
    this.#context.track(stored)
  }

  #answer(malformed: Malformed | null, rejected: boolean): ReadyAnswer | null {
    const toHead = this.#request.method === 'HEAD'
    if (malformed !== null) {
      const refusal = REFUSALS[malformed]
      return refusal && toHead ? withoutBody(refusal) : refusal
    }
    if (rejected) return toHead ? withoutBody(UNAUTHORIZED) : UNAUTHORIZED
    return toHead ? this.#endpoint.answerToHead : this.#endpoint.answer
  }

  #answerTo(delivery: NewDelivery, answer: ReadyAnswer | null, id: number): void {
    const stored: Stored = {
      request: this.#request,
      response: this.#response,
      connection: this.#connection,
      place: this.#place,
      endpoint: this.#endpoint,
      id,
      startedAt: this.startedAt,
      readAt: this.#readAt,
    }
    if (answer === null || delivery.malformed !== null) refuse(this.#context, stored, answer)
    else if (delivery.rejected) respond(this.#context, stored, answer, null)
    else reply(this.#context, stored, delivery, answer)
  }

  tooLarge(): void {
    this.#conclude('too-large')
  }

  /** The store failed during the body, so waiting for the rest is useless. */
  storeFailed(error: unknown): void {
    if (this.#concluded) return
    this.#concluded = true
    this.#connection.failed = true
    this.#body.drop()
    this.#refuseUnstored(error, null)
  }

  #refuseUnstored(error: unknown, malformed: Malformed | null): void {
    this.#body.release()
    this.#context.trouble.failed(error)
    const toHead = this.#request.method === 'HEAD'
    const answer = toHead ? withoutBody(NOT_STORED) : NOT_STORED
    this.#connection.refuse(malformed === 'cut-off' ? null : answer, this.#place)
  }
}

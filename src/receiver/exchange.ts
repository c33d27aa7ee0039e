import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Malformed } from '#contract/delivery.ts'
import type { NewDelivery, StoredBody } from '#core/ports.ts'
import {
  DEFECT,
  EXPECTATION_FAILED,
  NOT_STORED,
  type ReadyAnswer,
  TOO_LARGE,
  TOO_SLOW,
  UNAUTHORIZED,
  UNPARSEABLE,
  withoutBody,
} from './answers.ts'
import { BodyReader } from './body-reader.ts'
import type { Connection, Incoming } from './connection.ts'
import type { Context } from './context.ts'
import { endpointFor, type ReadyEndpoint } from './rules.ts'
import { secretMatches } from './secret.ts'

/** Null: the sender is gone, there is nobody to answer. */
const REFUSALS: { readonly [M in Malformed]: ReadyAnswer | null } = {
  unparseable: UNPARSEABLE,
  expectation: EXPECTATION_FAILED,
  connect: null,
  'cut-off': null,
  timeout: TOO_SLOW,
  'too-large': TOO_LARGE,
}

/** One request from its head to its answer: read raw, stored, answered, in this order (readings, Delivery). */
export class Exchange implements Incoming {
  readonly startedAt = performance.now()
  readonly #context: Context
  readonly #connection: Connection
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #receivedAt: number
  readonly #endpoint: ReadyEndpoint
  readonly #body: BodyReader
  readonly #expectation: boolean
  #receivingMs = 0
  #held = false
  #concluded = false

  /** @param expectation it came with an `Expect` that nobody can meet */
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
    this.#body = new BodyReader(context.capture, rules.bodyLimit, {
      tooLarge: () => this.#conclude('too-large'),
      storeFailed: (error) => this.#notStored(error),
      hold: () => {
        this.#held = true
        request.pause()
      },
      release: () => {
        this.#held = false
        request.resume()
      },
    })
    connection.requestBegun(this)
    response.on('close', () => connection.answerGone())
  }

  get complete(): boolean {
    return this.#concluded || this.#request.complete
  }

  get held(): boolean {
    return this.#held
  }

  /** Begins to read. */
  receive(): void {
    const request = this.#request
    request.on('data', (chunk: Buffer) => {
      if (this.#concluded) return
      try {
        this.#body.take(chunk)
      } catch (error) {
        this.#notStored(error)
      }
    })
    request.on('end', () => this.#conclude(this.#expectation ? 'expectation' : null))
    request.on('error', () => this.#conclude('cut-off'))
    if (this.#expectation) {
      // Whoever asks that way may wait for an answer before sending the body.
      const timer = setTimeout(() => this.#conclude('expectation'), this.#context.times.expectationBody)
      this.#response.on('close', () => clearTimeout(timer))
    }
  }

  breakOff(why: 'cut-off' | 'timeout' | 'unparseable'): void {
    this.#conclude(why)
  }

  #conclude(malformed: Malformed | null): void {
    if (this.#concluded) return
    this.#concluded = true
    // What still comes belongs to this request, and must not be taken for the next one.
    if (malformed !== null) this.#connection.failed = true
    this.#receivingMs = performance.now() - this.startedAt
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
    const { secret } = this.#endpoint
    const rejected = secret !== null && !secretMatches(secret, this.#request.rawHeaders)
    const answer = this.#answer(malformed, rejected)
    const delivery: NewDelivery = {
      receivedAt: this.#receivedAt,
      receivingUs: Math.round(this.#receivingMs * 1000),
      endpoint: this.#endpoint.name,
      method: this.#request.method ?? '',
      url: this.#request.url ?? '',
      httpVersion: this.#request.httpVersion,
      remoteAddress: this.#connection.remoteAddress,
      remotePort: this.#connection.remotePort,
      headers: this.#request.rawHeaders,
      trailers: this.#request.rawTrailers,
      body,
      // Beyond the limit: what had come by then, of which only the head is kept.
      bodySize: this.#body.size,
      answer,
      rejected,
      malformed,
    }
    const stored = this.#context.capture.append(delivery).then(
      ({ id }) => {
        this.#context.trouble.stored()
        this.#whenDue(rejected || malformed !== null, () => this.#send(answer, malformed, id))
      },
      (error: unknown) => this.#refuseUnstored(error, malformed),
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

  /** The endpoint's delay counts from the end of the body; the time that storing took is part of it. */
  #whenDue(atOnce: boolean, send: () => void): void {
    const { delayMs } = this.#endpoint
    const left = atOnce ? 0 : delayMs - (performance.now() - this.startedAt - this.#receivingMs)
    if (delayMs === 0 || left <= 0) {
      send()
      return
    }
    const timer = setTimeout(send, left).unref()
    this.#response.on('close', () => clearTimeout(timer))
  }

  #send(answer: ReadyAnswer | null, malformed: Malformed | null, id: number | null): void {
    const { writable } = this.#connection.socket
    if (malformed !== null) this.#connection.refuse(answer, 1)
    else if (answer) this.#respond(answer)
    // Nobody was there to take it: how long it took is not known.
    if (!answer || !writable) return
    if (id !== null)
      this.#context.capture.answered(id, Math.round((performance.now() - this.startedAt) * 1000))
  }

  #respond(answer: ReadyAnswer): void {
    const response = this.#response
    if (this.#context.stopping()) response.shouldKeepAlive = false
    try {
      response.writeHead(answer.status, answer.headers as string[])
      if (answer.body.length > 0) response.end(answer.body)
      else response.end()
    } catch {
      // Stored, so it must not be 503. Node checks a head before it writes any of it; should some have gone, only closing tells the sender.
      if (response.headersSent) {
        this.#connection.socket.destroy()
        return
      }
      response.writeHead(DEFECT.status, DEFECT.headers as string[])
      response.end(DEFECT.body)
    }
  }

  /** The store failed in the middle of the body: there is no use in waiting for the rest. */
  #notStored(error: unknown): void {
    if (this.#concluded) return
    this.#concluded = true
    this.#connection.failed = true
    this.#body.drop()
    this.#refuseUnstored(error, null)
  }

  #refuseUnstored(error: unknown, malformed: Malformed | null): void {
    this.#context.trouble.failed(error)
    const toHead = this.#request.method === 'HEAD'
    this.#connection.refuse(malformed === 'cut-off' ? null : toHead ? withoutBody(NOT_STORED) : NOT_STORED, 1)
  }
}

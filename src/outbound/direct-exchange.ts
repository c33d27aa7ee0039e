import type { AttemptError } from '#contract/replay.ts'
import { NO_TIMINGS } from '#core/replay/outbox.ts'
import type { Outcome, OutgoingRequest } from '#core/replay/ports.ts'
import { AnswerBody } from './answer.ts'
import type { Connection, ConnectionUser, Route } from './connection.ts'
import type { Timed } from './deadlines.ts'
import { Exchange, type ExchangeParts, microseconds } from './exchange.ts'
import { type Exchanging, explainExchange } from './explain.ts'
import { CANCELLED, explainOverdue } from './own-ends.ts'
import { plainAnswer } from './plain-http.ts'
import { Wire } from './wire.ts'

/**
 * A small request over a kept-alive connection, without node:http, at a third of the cost: writes head and body at once, and parses a plain
 * answer at once. Passes any other answer to node:http unparsed.
 */
export class DirectExchange implements Timed, ConnectionUser {
  dueAt: number
  slot = 0
  readonly signal: AbortSignal | undefined
  readonly #request: OutgoingRequest
  readonly #path: string
  readonly #route: Route
  readonly #parts: ExchangeParts
  readonly #connection: Connection
  readonly #startedAt = performance.now()
  readonly #handedOn: () => void
  #sentAt = 0
  #end: (outcome: Outcome | Promise<Outcome>) => void = () => {}
  #ended = false

  /** @param connection taken from the pool @param handedOn called when the answer was passed to node:http */
  constructor(
    outgoing: OutgoingRequest,
    path: string,
    route: Route,
    parts: ExchangeParts,
    connection: Connection,
    signal: AbortSignal | undefined,
    handedOn: () => void,
  ) {
    this.signal = signal
    this.#request = outgoing
    this.#path = path
    this.#route = route
    this.#parts = parts
    this.#connection = connection
    this.#handedOn = handedOn
    this.dueAt = this.#startedAt + outgoing.timeouts.totalMs
  }

  /** @param text the request, from plainRequest */
  run(text: string): Promise<Outcome> {
    return new Promise((resolve) => {
      this.#end = resolve
      this.#parts.deadlines.add(this)
      const connection = this.#connection
      const { socket } = connection
      connection.user = this
      connection.uses++
      socket?.write(text, 'latin1')
      if (socket?.writableLength === 0) this.#sent()
      // Queued, so its callback runs once everything is written.
      else socket?.write('', this.#sent)
    })
  }

  overdue(): void {
    const total = performance.now() >= this.#startedAt + this.#request.timeouts.totalMs
    this.#fail(explainOverdue(total ? 'total' : 'answer', this.#request.timeouts, this.#route.address, null))
  }

  cancel(): void {
    this.#fail(CANCELLED)
  }

  came(bytes: Buffer): void {
    const connection = this.#connection
    const answer = this.#sentAt === 0 ? null : plainAnswer(bytes)
    if (!answer) {
      this.#handOn(bytes)
      return
    }
    const now = performance.now()
    const body = new AnswerBody(this.#parts.answerKept)
    if (answer.head.length > 0) body.take(answer.body)
    connection.idleAtMost = answer.head.idleAtMost
    this.#parts.pool.keep(this.#route.key, connection)
    const { status, statusText, headers } = answer.head
    this.#settle({ status, statusText, headers, body: body.kept(), size: body.size }, null, now)
  }

  ended(): void {
    this.broke(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }))
  }

  broke(error: Error): void {
    const phase: Exchanging = this.#sentAt === 0 ? 'send' : 'wait'
    this.#fail(explainExchange(error, phase, this.#route.address, true))
  }

  readonly #sent = (error?: Error | null): void => {
    if (error || this.#ended) return
    this.#sentAt = performance.now()
    this.dueAt = Math.min(this.dueAt, this.#sentAt + this.#request.timeouts.answerMs)
  }

  #fail(error: AttemptError): void {
    const connection = this.#connection
    connection.user = null
    connection.socket?.destroy()
    this.#settle(null, error, performance.now())
  }

  #handOn(bytes: Buffer): void {
    this.#ended = true
    this.#parts.deadlines.delete(this)
    this.#handedOn()
    const wire = new Wire(this.#connection, bytes)
    const begun = { wire, startedAt: this.#startedAt, sentAt: this.#sentAt }
    this.#end(new Exchange(this.#request, this.#route, this.#parts, this.signal, begun).run(this.#path))
  }

  #settle(answer: Outcome['answer'], error: AttemptError | null, now: number): void {
    if (this.#ended) return
    this.#ended = true
    this.#parts.deadlines.delete(this)
    const sentAt = this.#sentAt
    this.#end({
      answer,
      error,
      timings: {
        ...NO_TIMINGS,
        sendUs: microseconds((sentAt || now) - this.#startedAt),
        waitUs: sentAt === 0 ? null : microseconds(now - sentAt),
        receiveUs: answer ? 0 : null,
      },
      address: this.#connection.address,
      reusedConnection: true,
      tookUs: microseconds(now - this.#startedAt),
    })
  }
}

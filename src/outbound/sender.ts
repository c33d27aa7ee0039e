import type { AttemptError } from '#contract/replay.ts'
import { NO_TIMINGS, unsent } from '#core/replay/outbox.ts'
import type { Outcome, OutgoingRequest, Sender } from '#core/replay/ports.ts'
import { type Address, parseAddress } from './address.ts'
import { AnswerBody } from './answer.ts'
import type { Connection, ConnectionUser, Route } from './connection.ts'
import { createDestinationPolicy, createLookup, type Lookup } from './destination-policy.ts'
import { Exchange, type ExchangeParts, microseconds } from './exchange.ts'
import { type Exchanging, explainExchange } from './explain.ts'
import { CANCELLED, Deadlines, explainOverdue, type Timed, wrongMethod } from './own-ends.ts'
import { plainAnswer, plainRequest } from './plain-http.ts'
import { Pool } from './pool.ts'
import { createProxies, type Environment } from './proxies.ts'
import { Wire } from './wire.ts'

export interface SenderOptions {
  /** Environment with HTTP_PROXY, HTTPS_PROXY and NO_PROXY. */
  readonly environment?: Environment
  /** Resolves names; default: the system's resolver. */
  readonly lookup?: Lookup
  /** Addresses of this machine; default: those of its network interfaces. */
  readonly interfaces?: () => readonly string[]
  /** Maximum bytes kept of an answer's body; default ANSWER_KEPT, at most ANSWER_READ. */
  readonly answerKept?: number
}

const SWEEP_MS = 100
/** After an answer that was not plain, node:http handles the target for this time, since each hand-over costs a connection. */
const ODD_MS = 10_000

/** Sends requests exactly as given, over node:http or directly. Follows no redirects, decodes nothing, never retries. */
export function createSender({
  environment = process.env,
  lookup,
  interfaces,
  answerKept,
}: SenderOptions = {}): Sender {
  const policy = createDestinationPolicy(interfaces)
  const pool = new Pool({ policy, lookup: createLookup(lookup) })
  const proxyFor = createProxies(environment)
  const routes = new WeakMap<Address, [trusting: Route, checking: Route]>()
  const followed = new WeakSet<AbortSignal>()
  let sweptAt = 0
  const sweep = (now: number): void => {
    if (now - sweptAt < SWEEP_MS) return
    sweptAt = now
    pool.sweep(now)
  }
  const deadlines = new Deadlines((now) => {
    sweep(now)
    return pool.hasIdle()
  })
  const parts: ExchangeParts = { pool, deadlines, answerKept }

  const routeTo = (address: Address, acceptAnyCertificate: boolean): Route => {
    let both = routes.get(address)
    if (!both) {
      const proxy = proxyFor(address)
      const route = (acceptAny: boolean): Route => ({
        key: `${address.origin} ${acceptAny}`,
        address,
        proxy,
        acceptAnyCertificate: acceptAny,
        oddUntil: 0,
      })
      both = [route(true), route(false)]
      routes.set(address, both)
    }
    return acceptAnyCertificate ? both[0] : both[1]
  }

  /** @returns null without an idle connection, or when node:http must handle the request */
  const sendDirectly = (
    request: OutgoingRequest,
    path: string,
    route: Route,
    signal: AbortSignal | undefined,
  ): Promise<Outcome> | null => {
    if (route.proxy || performance.now() < route.oddUntil) return null
    const text = pool.holds(route.key) ? plainRequest(request, path) : null
    const connection = text === null ? undefined : pool.take(route.key)
    if (text === null || !connection) return null
    const odd = (): void => {
      route.oddUntil = performance.now() + ODD_MS
    }
    return new DirectExchange(request, path, route, parts, connection, signal, odd).run(text)
  }

  return {
    send(request, signal) {
      const parsed = parseAddress(request.url)
      if ('error' in parsed) return Promise.resolve(unsent(parsed.error))
      if (request.method === 'CONNECT' || request.method === '')
        return Promise.resolve(unsent(wrongMethod(request.method)))
      if (signal?.aborted) return Promise.resolve(unsent(CANCELLED))
      sweep(performance.now())
      const route = routeTo(parsed.address, request.acceptAnyCertificate)
      // The requests of a job share one signal, which gets one listener.
      if (signal && !followed.has(signal)) {
        followed.add(signal)
        signal.addEventListener('abort', () => deadlines.cancel(signal), { once: true })
      }
      return (
        sendDirectly(request, parsed.path, route, signal) ??
        new Exchange(request, route, parts, signal).run(parsed.path)
      )
    },
    setOwnReceiver(address) {
      policy.setOwnReceiver(address)
      // Kept connections were checked against the previous address.
      pool.drop()
    },
    close() {
      deadlines.stop()
      pool.drop()
    },
  }
}

/**
 * A small request over a kept-alive connection, without node:http, at a third of the cost: writes head and body at once, and parses a plain
 * answer at once. Passes any other answer to node:http unparsed.
 */
class DirectExchange implements Timed, ConnectionUser {
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

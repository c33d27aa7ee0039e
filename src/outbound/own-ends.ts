import { validateHeaderName, validateHeaderValue } from 'node:http'
import { messageOf } from '#contract/errors.ts'
import { pairsOf } from '#contract/headers.ts'
import type { AttemptError } from '#contract/replay.ts'
import type { Timeouts } from '#contract/target.ts'
import type { OutgoingRequest } from '#core/replay/ports.ts'
import { failure } from '#core/replay/statuses.ts'
import type { Address } from './address.ts'
import type { NamedProxy } from './proxies.ts'

export const CANCELLED: AttemptError = failure(
  'cancelled',
  'Cancelled before the answer was complete. If the request was sent, the target may have processed it.',
)

export type Phase = 'connect' | 'answer' | 'total'
export type Reached = 'lookup' | 'connect' | 'tls'

export function explainOverdue(
  phase: Phase,
  timeouts: Timeouts,
  { origin, hostname, port }: Address,
  proxy: NamedProxy | null,
  reached: Reached = 'connect',
): AttemptError {
  const ms = timeouts[`${phase}Ms`]
  const params = { host: hostname, port, ms }
  if (phase === 'connect' && proxy) {
    const { name, variable } = proxy
    const message = `No connection to ${origin} through the proxy ${name} (${variable}) within ${ms} ms. Check both, name the destination in NO_PROXY if it needs no proxy, or allow more time to connect.`
    return failure('connect-timeout', message, { ...params, proxy: name, variable })
  }
  const how = phase === 'connect' ? reached : phase
  const message = {
    lookup: `The name ${hostname} was not looked up within ${ms} ms: no name server answered. Check the network, or allow more time to connect.`,
    tls: `${origin} took the connection but did not agree on TLS within ${ms} ms. Check that the port is for https, or allow more time to connect.`,
    connect: `No connection to ${origin} within ${ms} ms. Check the address and any firewall in between, or allow more time to connect.`,
    answer: `${origin} took the request but did not begin to answer within ${ms} ms. Look at what it is doing, or allow more time to answer.`,
    total: `Sending to ${origin} and its answer took more than ${ms} ms in total. Check the application, or allow more time in total.`,
  }[how]
  const named = how === 'lookup' || how === 'tls' ? { ...params, reason: how } : params
  return failure(`${phase}-timeout`, message, named)
}

/** Explains why node:http refused the head, before anything was sent. */
export function explainUnsendable(error: unknown, { method, headers }: OutgoingRequest): AttemptError {
  for (const [i, [name, value]] of [...pairsOf(headers)].entries()) {
    const wrong = throws(() => validateHeaderName(name))
      ? 'name'
      : throws(() => validateHeaderValue(name, value))
        ? 'value'
        : null
    if (!wrong) continue
    const message = `The request cannot be sent: the ${wrong} of header ${i + 1}, ${JSON.stringify(name)}, has a character that HTTP/1.1 cannot carry. Change or remove it.`
    return failure('unsendable', message, { part: `header ${wrong}`, name, at: i + 1 })
  }
  const why = messageOf(error)
  const message = `The request cannot be sent: ${why}. Method: ${JSON.stringify(method)}.`
  return failure('unsendable', message, { part: 'method', why })
}

/** CONNECT would open a tunnel instead of getting an answer, and node:http would send an empty method as GET. */
export function wrongMethod(method: string): AttemptError {
  const why = method === '' ? 'there is no method' : 'CONNECT opens a tunnel'
  const message = `The request cannot be sent: ${why}. Choose another method.`
  return failure('unsendable', message, { part: 'method', why })
}

export function bodyGone(why: string): AttemptError {
  const message = `The body could not be read to its end (${why}); was the delivery deleted meanwhile?`
  return failure('delivery-gone', message, { why })
}

function throws(work: () => void): boolean {
  try {
    work()
    return false
  } catch {
    return true
  }
}

export interface Timed {
  /** Milliseconds of performance.now(); may change at any time. */
  readonly dueAt: number
  /** Cancels this exchange together with others. */
  readonly signal: AbortSignal | undefined
  /** Index in the list, managed by Deadlines. */
  slot: number
  overdue(): void
  cancel(): void
}

const TICK_MS = 20

/** One timer for all exchanges, instead of several per request. A deadline fires up to a tick late, never early. */
export class Deadlines {
  // An array, since a Set with constant turnover keeps removed entries alive until the next full garbage collection.
  readonly #timed: Timed[] = []
  readonly #onTick: (now: number) => boolean
  #timer: NodeJS.Timeout | undefined

  /** @param onTick called at each tick; returns whether the timer must keep running without any deadline */
  constructor(onTick: (now: number) => boolean) {
    this.#onTick = onTick
  }

  add(timed: Timed): void {
    timed.slot = this.#timed.push(timed) - 1
    // The sockets of exchanges keep the process alive, so the timer need not.
    this.#timer ??= setInterval(this.#tick, TICK_MS).unref()
  }

  delete(timed: Timed): void {
    const last = this.#timed.pop()
    if (!last || last === timed) return
    this.#timed[timed.slot] = last
    last.slot = timed.slot
  }

  cancel(signal: AbortSignal): void {
    for (const timed of [...this.#timed]) if (timed.signal === signal) timed.cancel()
  }

  stop(): void {
    for (const timed of [...this.#timed]) timed.cancel()
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  readonly #tick = (): void => {
    const now = performance.now()
    for (const timed of [...this.#timed]) if (now >= timed.dueAt) timed.overdue()
    if (this.#onTick(now) || this.#timed.length > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

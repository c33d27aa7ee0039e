import { unsent } from '#core/replay/outbox.ts'
import type { Outcome, OutgoingRequest, Sender } from '#core/replay/ports.ts'
import { type Address, parseAddress } from './address.ts'
import type { Route } from './connection.ts'
import { Deadlines } from './deadlines.ts'
import { createDestinationPolicy } from './destination-policy.ts'
import { DirectExchange } from './direct-exchange.ts'
import { Exchange, type ExchangeParts } from './exchange.ts'
import { createLookup, type Lookup } from './lookup.ts'
import { CANCELLED, wrongMethod } from './own-ends.ts'
import { plainRequest } from './plain-http.ts'
import { Pool } from './pool.ts'
import { createProxies, type Environment } from './proxies.ts'

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

import type { HandlersOf } from '#contract/commands.ts'
import type {
  AnswerHint,
  ConnectChange,
  ConnectOutcome,
  ConnectTest,
  MachineAddress,
  SelfTestMethod,
} from '#contract/connect.ts'
import { badParam, refused } from '#contract/errors.ts'
import { headerOf, pairsOf } from '#contract/headers.ts'
import { CERTIFICATE_REASONS, SELF_TEST_EVENT, SELF_TEST_HEADER } from '#contract/values.ts'
import type { Masking } from '../masking.ts'
import type { Appended, Capture, Certificate, Clock, NewDelivery, Receiver } from '../ports.ts'
import { NO_TIMINGS } from '../replay/outbox.ts'
import type { Outcome, OutgoingRequest, Sender } from '../replay/ports.ts'
import { bodyOf } from '../replay/request.ts'

/** Longer than any working tunnel takes. */
const TIMEOUTS = { connectMs: 10_000, answerMs: 15_000, totalMs: 25_000 }
/** Extra wait after an answer: a proxy may answer before it forwards the request. */
const AFTER_ANSWER_MS = 3_000
/** Characters shown of another server's answer, enough to recognise an error page. */
const SHOWN = 300
/** Errors of the certificate alone, after which the test continues without the check. */
const CERTIFICATE: ReadonlySet<string> = new Set(CERTIFICATE_REASONS)

interface Arrival {
  readonly delivery: NewDelivery
  readonly at: number
  readonly appended: Promise<Appended>
}

export interface SelfTestOptions {
  /** A sender that may send to our own receiver, which is the purpose here. */
  readonly sender: Pick<Sender, 'send'>
  readonly receiver: Pick<Receiver, 'state'> | null
  readonly clock: Clock
  readonly version: string
  token(): string
  readonly afterAnswerMs?: number
}

export class SelfTests {
  readonly #options: SelfTestOptions
  readonly #waiting = new Map<string, (arrival: Arrival) => void>()
  #running = false
  #last: ConnectTest | null = null

  constructor(options: SelfTestOptions) {
    this.#options = options
  }

  get last(): ConnectTest | null {
    return this.#last
  }

  watching(capture: Capture): Capture {
    return {
      append: (delivery) => {
        const appended = capture.append(delivery)
        if (this.#waiting.size > 0) this.#match(delivery, appended)
        return appended
      },
      openBody: () => capture.openBody(),
      answered: (id, tookUs, instead) => capture.answered(id, tookUs, instead),
    }
  }

  /** @throws AcuseError `conflict` while another test is running */
  async run(address: string, method: SelfTestMethod = 'POST'): Promise<ConnectTest> {
    if (this.#running) throw refused('conflict', 'self-test-running')
    this.#running = true
    try {
      this.#last = await this.#test(address.replace(/#.*$/s, ''), method)
      return this.#last
    } finally {
      this.#running = false
    }
  }

  async #test(url: string, method: SelfTestMethod): Promise<ConnectTest> {
    const { clock, receiver, sender, token: newToken } = this.#options
    const at = clock.now()
    const base = { url, method, at, address: null, timings: NO_TIMINGS, error: null }
    if (receiver?.state().state !== 'listening')
      return { ...base, outcome: 'receiver-off', certificate: null, answer: null, arrival: null }
    const token = newToken()
    const { promise: arriving, resolve } = Promise.withResolvers<Arrival>()
    let arrived: Arrival | null = null
    this.#waiting.set(token, (arrival) => {
      arrived ??= arrival
      resolve(arrival)
    })
    try {
      const sent = this.#request(url, method, token, at)
      let outcome = await sender.send(outgoing(url, sent, false))
      const certificate = CERTIFICATE.has(String(outcome.error?.params.reason)) ? outcome.error : null
      if (certificate) outcome = await sender.send(outgoing(url, sent, true))
      // Without a connection nothing can arrive any more.
      if (outcome.timings.sendUs !== null) await this.#orLate(arriving)
      return {
        url,
        method,
        at,
        certificate,
        error: outcome.error,
        address: outcome.address,
        timings: outcome.timings,
        outcome: outcomeOf(outcome, arrived),
        answer: answerOf(outcome, arrived),
        arrival: await arrivalOf(arrived, sent, at),
      }
    } finally {
      this.#waiting.delete(token)
    }
  }

  #request(url: string, method: SelfTestMethod, token: string, at: number): Compared {
    const parsed = new URL(url)
    const rest = /^[^:]+:\/\/[^/?]*(.*)$/s.exec(url)?.[1] ?? ''
    // Whitespace that a proxy which rewrites JSON would not preserve.
    const body = new TextEncoder().encode(
      `{ "Event": "${SELF_TEST_EVENT}",\t"Timestamp": "${new Date(at).toISOString().replace('Z', '+00:00')}", "data": {} }\r\n`,
    )
    const headers = [
      'Host',
      parsed.host,
      'User-Agent',
      `Acuse/${this.#options.version} self-test`,
      'Accept',
      '*/*',
      'Content-Type',
      'application/json; charset=utf-8',
      'Content-Length',
      String(body.length),
      SELF_TEST_HEADER,
      token,
    ]
    return { method, target: rest.startsWith('/') ? rest : `/${rest}`, headers, body }
  }

  #match(delivery: NewDelivery, appended: Promise<Appended>): void {
    const at = this.#options.clock.now()
    for (const [name, token] of pairsOf(delivery.headers))
      if (name.toLowerCase() === SELF_TEST_HEADER.toLowerCase())
        this.#waiting.get(token)?.({ delivery, appended, at })
  }

  async #orLate(arriving: Promise<Arrival>): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, this.#options.afterAnswerMs ?? AFTER_ANSWER_MS)
    await Promise.race([arriving, late])
    clearTimeout(timer)
  }
}

function outgoing(url: string, sent: Compared, acceptAnyCertificate: boolean): OutgoingRequest {
  const { method, headers, body } = sent
  return { method, url, headers, acceptAnyCertificate, timeouts: TIMEOUTS, body: bodyOf(body) }
}

function outcomeOf(outcome: Outcome, arrived: Arrival | null): ConnectOutcome {
  if (arrived) return 'arrived'
  if (outcome.answer) return 'elsewhere'
  return outcome.timings.sendUs === null ? 'unreachable' : 'lost'
}

function answerOf({ answer }: Outcome, arrived: Arrival | null): ConnectTest['answer'] {
  if (!answer) return null
  const { status, statusText, headers } = answer
  const header = (name: string) => headerOf(headers, name)
  return {
    status,
    statusText,
    server: header('server'),
    location: header('location'),
    text: new TextDecoder().decode(answer.body.subarray(0, SHOWN)),
    hint: arrived ? null : answerHint(status, header),
  }
}

async function arrivalOf(arrived: Arrival | null, sent: Compared, began: number) {
  if (!arrived) return null
  const { delivery, at, appended } = arrived
  const { method, url: target, headers, body } = delivery
  const came = { method, target, headers, body: body instanceof Uint8Array ? body : new Uint8Array() }
  return {
    id: (await appended.catch(() => null))?.id ?? null,
    afterMs: Math.max(0, at - began),
    endpoint: delivery.endpoint,
    remoteAddress: delivery.remoteAddress,
    rejected: delivery.rejected,
    status: delivery.answer?.status ?? null,
    changes: changesOnTheWay(sent, came),
  }
}

/** Cloudflare's statuses for a tunnel that is not connected. */
const CLOUDFLARE_OFFLINE: ReadonlySet<number> = new Set([530, 521])
/** Value of ngrok's error header when nothing listens behind the tunnel; ERR_NGROK_3200 means no tunnel. */
const NGROK_UPSTREAM = 'ERR_NGROK_8012'

export function answerHint(status: number, header: (name: string) => string | null): AnswerHint {
  const ngrok = header('ngrok-error-code')
  if (ngrok !== null) return ngrok === NGROK_UPSTREAM ? 'tunnel-upstream' : 'tunnel-offline'
  if (header('server') === 'cloudflare') {
    if (CLOUDFLARE_OFFLINE.has(status)) return 'tunnel-offline'
    if (status === 502) return 'tunnel-upstream'
  }
  if (status >= 300 && status < 400) return 'redirect'
  if (status === 401 || status === 403 || status === 407) return 'protected'
  if (status >= 502 && status <= 504) return 'gateway'
  return 'other-server'
}

export interface Compared {
  readonly method: string
  readonly target: string
  readonly headers: readonly string[]
  readonly body: Uint8Array
}

export function changesOnTheWay(sent: Compared, arrived: Compared): readonly ConnectChange[] {
  const changes: ConnectChange[] = []
  if (sent.method !== arrived.method)
    changes.push({ part: 'method', sent: sent.method, arrived: arrived.method })
  if (sent.target !== arrived.target)
    changes.push({ part: 'path', sent: sent.target, arrived: arrived.target })
  const at = firstDifference(sent.body, arrived.body)
  if (at !== null) changes.push({ part: 'body', sent: sent.body.length, arrived: arrived.body.length, at })
  return [...changes, ...headerChanges(sent.headers, arrived.headers)]
}

function firstDifference(a: Uint8Array, b: Uint8Array): number | null {
  const shorter = Math.min(a.length, b.length)
  for (let i = 0; i < shorter; i++) if (a[i] !== b[i]) return i
  return a.length === b.length ? null : shorter
}

/** Pairs each sent header with an arrived one of the same name, preferring an equal value; unpaired arrivals were added. */
function headerChanges(sent: readonly string[], arrived: readonly string[]): readonly ConnectChange[] {
  const left = [...pairsOf(arrived)]
  const changes: ConnectChange[] = []
  for (const [name, value] of pairsOf(sent)) {
    const same = (other: string) => other.toLowerCase() === name.toLowerCase()
    const exact = left.findIndex(([other, content]) => same(other) && content === value)
    const at = exact === -1 ? left.findIndex(([other]) => same(other)) : exact
    const [taken] = at === -1 ? [] : left.splice(at, 1)
    const change = (how: 'removed' | 'changed' | 'case', came: string | null): ConnectChange => ({
      part: 'header',
      how,
      name,
      sent: value,
      arrived: came,
    })
    if (!taken) changes.push(change('removed', null))
    else if (taken[1] !== value) changes.push(change('changed', taken[1]))
    else if (taken[0] !== name) changes.push(change('case', taken[0]))
  }
  const added = left.map(
    ([name, value]): ConnectChange => ({ part: 'header', how: 'added', name, sent: null, arrived: value }),
  )
  return [...changes, ...added]
}

export interface Connect {
  readonly selfTests: SelfTests
  /** Read on every call: a laptop changes networks. */
  addresses(): readonly MachineAddress[]
}

/** @param connect null in a host without a receiver */
export function connectHandlers(connect: Connect | null, masking: Masking): HandlersOf<`connect.${string}`> {
  const change = (one: ConnectChange): ConnectChange => {
    if (one.part === 'path')
      return { ...one, sent: masking.target(one.sent), arrived: masking.target(one.arrived) }
    if (one.part !== 'header') return one
    const shown = (value: string | null) => {
      const header = value === null ? null : masking.header({ name: one.name, value })
      return header?.masked ? `<masked: ${header.value}>` : value
    }
    return { ...one, sent: shown(one.sent), arrived: shown(one.arrived) }
  }
  // Proxies and tunnels add headers of their own, such as cookies and credentials.
  const covered = (test: ConnectTest): ConnectTest => ({
    ...test,
    answer: test.answer && {
      ...test.answer,
      location: test.answer.location && masking.target(test.answer.location),
    },
    arrival: test.arrival && { ...test.arrival, changes: test.arrival.changes.map(change) },
  })
  return {
    'connect.state': async () => {
      const last = connect?.selfTests.last ?? null
      return { addresses: connect?.addresses() ?? [], last: last && covered(last) }
    },
    'connect.test': async ({ url, method }) => {
      if (!connect) throw refused('not-available', 'receives-nothing')
      return covered(await connect.selfTests.run(url, method))
    },
  }
}

/** For new certificates only: the receiver keeps one that expires in use, so as not to lose deliveries. @throws AcuseError `bad-params` */
export function demandCurrent({ info }: Certificate, now: number): void {
  const path = 'receiver.tls.certificate'
  if (info.validTo < now)
    throw badParam(
      path,
      `The certificate expired on ${day(info.validTo)}: senders refuse it. Renew it, and give the new one.`,
    )
  if (info.validFrom > now)
    throw badParam(
      path,
      `The certificate is valid from ${day(info.validFrom)} on, and not before. Wait for that day, or check the clock of this machine.`,
    )
}

const day = (instant: number): string => new Date(instant).toISOString().slice(0, 10)

import { messageOf } from '#contract/errors.ts'
import type { ReceiverTls } from '#contract/settings.ts'
import type { ReceiverState } from '#contract/status.ts'
import { Listeners } from '#core/listeners.ts'
import type { Capture, Certificate, Certificates, Receiver } from '#core/ports.ts'
import { type Answering, NOBODY_ELSE } from './answering.ts'
import { parserGaveUp } from './broken.ts'
import type { Context } from './context.ts'
import { StoreTrouble } from './context.ts'
import { BODIES, type ReceiverTimes, TIMES } from './limits.ts'
import { codeOf, listen, listenFailure, urlOf } from './listen.ts'
import { Room, Turns } from './room.ts'
import { type ReceiverRules, readyRules } from './rules.ts'
import { createIntakeServer, type IntakeServer } from './server.ts'

export type { ReceiverRules } from './rules.ts'

export interface ReceiverOptions {
  readonly capture: Capture
  /** What can answer instead of the endpoints; default: nothing. */
  readonly answering?: Answering
  /** Needed only for HTTPS. */
  readonly certificates?: Certificates
  /** Called at every request. Must return the same object while nothing has changed: derived rules are cached by it. */
  rules(): ReceiverRules
  /** Microseconds since the epoch; see createArrivalClock. */
  now(): number
  warn(message: string): void
  /** Limits that replace TIMES, for tests. */
  readonly times?: Partial<ReceiverTimes>
}

/** Delay of the count of refused connections in the state, to batch updates. */
const REFUSED_TOLD_MS = 500
/** Interval at which `stop` polls for its end. */
const STOP_LOOK_MS = 10
/** Extra time to store requests that are cut off at the end of `stop`. */
const LAST_APPENDS_MS = 500
/** Interval of reloading the certificate, so that a renewed one needs no restart. */
const RENEW_MS = 6 * 3_600_000

/** Creates the receiver: it passes every request unchanged to `capture`, then answers it. */
export function createReceiver(options: ReceiverOptions): Receiver {
  const times: ReceiverTimes = { ...TIMES, ...options.times }
  const listeners = new Listeners<[ReceiverState]>()
  let state: ReceiverState = { state: 'off' }
  let running: IntakeServer | null = null
  let sweep: NodeJS.Timeout | undefined
  let renewal: NodeJS.Timeout | undefined
  let stopping = false
  let appending = 0
  let refused = 0
  let telling = false
  // Changes are serialized: a start must not overtake the previous stop.
  let turn: Promise<unknown> = Promise.resolve()

  const settled = () => {
    appending--
  }
  const context: Context = {
    capture: options.capture,
    answering: options.answering ?? NOBODY_ELSE,
    times,
    trouble: new StoreTrouble(options.warn),
    rules: () => readyRules(options.rules()),
    now: options.now,
    warn: options.warn,
    bodies: new Room(BODIES.room),
    turns: new Turns(),
    refused() {
      refused++
      if (telling) return
      telling = true
      setTimeout(() => {
        telling = false
        if (state.state === 'listening') become({ ...state, refused })
      }, REFUSED_TOLD_MS).unref()
    },
    stopping: () => stopping,
    track(append) {
      appending++
      append.then(settled, (error: unknown) => {
        settled()
        options.warn(`A delivery could not be answered: ${String(error)}`)
      })
    },
  }

  function become(next: ReceiverState): ReceiverState {
    state = next
    listeners.tell(next)
    return next
  }

  function inTurn<T>(change: () => Promise<T>): Promise<T> {
    const done = turn.then(change)
    turn = done.catch(() => {})
    return done
  }

  async function start(host: string, port: number, tls: ReceiverTls | null): Promise<ReceiverState> {
    await end()
    become({ state: 'starting' })
    stopping = false
    refused = 0
    let certificate: Certificate | null
    let server: IntakeServer
    try {
      certificate = tls && (await load(tls))
      server = createIntakeServer(context, certificate)
    } catch (error) {
      const message = messageOf(error)
      const failure = { code: 'bad-certificate', host, port, message, nextFreePort: null } as const
      return become({ state: 'failed', failure })
    }
    let taken: number
    try {
      taken = await listen(server.http, host, port)
    } catch (error) {
      return become({ state: 'failed', failure: await listenFailure(host, port, error) })
    }
    running = server
    sweep = setInterval(server.cutSlowBodies, times.check).unref()
    if (tls) renewal = setInterval(() => void inTurn(() => renew(server, tls)), RENEW_MS).unref()
    server.http.on('error', (error) => {
      // A connection that could not be accepted (no file descriptors left) does not cost the port.
      if ('syscall' in error && error.syscall === 'accept')
        options.warn(`A connection could not be accepted: ${error.message}`)
      else void inTurn(() => lost(server, host, taken, error))
    })
    return become({
      state: 'listening',
      url: urlOf(host, taken, certificate !== null),
      host,
      port: taken,
      ...(certificate ? { tls: certificate.info } : {}),
    })
  }

  async function load(tls: ReceiverTls): Promise<Certificate> {
    if (!options.certificates) throw new Error('This receiver has no certificates.')
    return options.certificates.load(tls)
  }

  async function renew(server: IntakeServer, tls: ReceiverTls): Promise<void> {
    try {
      const certificate = await load(tls)
      if (running !== server || state.state !== 'listening') return
      if (certificate.info.fingerprint === state.tls?.fingerprint) return
      server.renew(certificate)
      become({ ...state, tls: certificate.info })
    } catch (error) {
      options.warn(`The certificate could not be read again, and the one before stays: ${messageOf(error)}`)
    }
  }

  async function lost(server: IntakeServer, host: string, port: number, error: Error): Promise<void> {
    if (running !== server) return
    await end()
    const failure = await listenFailure(host, port, error)
    become({ state: 'failed', failure: { ...failure, message: `${error.message} (${codeOf(error)})` } })
  }

  async function end(): Promise<void> {
    const server = running
    if (!server) return
    running = null
    stopping = true
    clearInterval(sweep)
    clearInterval(renewal)
    server.http.close()
    server.dropUnready()
    const began = performance.now()
    const until = began + times.stop
    while (server.connections.size > 0 && performance.now() < until) {
      const silent = performance.now() - times.stopSilent
      for (const connection of server.connections) {
        connection.closeWhenIdle()
        const since = connection.since('body') ?? connection.since('head')
        if (since !== undefined && Math.max(since, began) < silent)
          parserGaveUp(context, connection, 'STOPPED')
      }
      await pause()
    }
    const left = server.connections.size > 0
    for (const connection of server.connections) {
      parserGaveUp(context, connection, 'STOPPED')
      connection.socket.destroy()
    }
    // The `close` events record which answers were never sent.
    if (left) await pause()
    const last = Math.max(until, performance.now() + LAST_APPENDS_MS)
    while (appending > 0 && performance.now() < last) await pause()
  }

  return {
    state: () => state,
    start: (host, port, tls = null) => inTurn(() => start(host, port, tls)),
    stop: () =>
      inTurn(async () => {
        await end()
        become({ state: 'off' })
      }),
    onState: listeners.add,
  }
}

const pause = () => new Promise<void>((resolve) => setTimeout(resolve, STOP_LOOK_MS))

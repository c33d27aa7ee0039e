import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { DEFAULT_SETTINGS } from '#contract/defaults.ts'
import type { ReceiverTls } from '#contract/settings.ts'
import type { ReceiverState } from '#contract/status.ts'
import type { Readiness } from '#contract/watch.ts'
import { EndpointBook } from '#core/endpoints.ts'
import { exposition, Meter } from '#core/watch/meter.ts'
import { gauge } from '#core/watch/metrics.ts'
import { createReadiness, READY } from '#core/watch/readiness.ts'
import { LogThread } from '#log/log-thread.ts'
import { logIn } from '#log/reader.ts'
import { Beat } from '#log/shared/beat.ts'
import { SharedLog } from '#log/shared/shared-log.ts'
import { SharedRules } from '#log/shared/shared-rules.ts'
import { Spill } from '#log/shared/spill.ts'
import { createArrivalClock } from '#receiver/arrival-clock.ts'
import { createReceiver, type ReceiverRules } from '#receiver/receiver.ts'
import { FolderLock } from '#storage/disk/lock.ts'
import { IntakeQueue, RecentAnswers } from '#storage/facade/intake-queue.ts'
import { createCertificates } from './certificates.ts'
import { ensureDataDir } from './data-dir.ts'

export interface SharedReceiverOptions {
  /** URL of the shared log. */
  readonly url: string
  readonly name: string
  /** Seals the secrets of the endpoints. */
  readonly passphrase: string | undefined
  /** Holds the spill and a generated certificate. */
  readonly folder: string
  /** Whether records that the shared log does not take in time are kept on this machine and answered 2xx; else they are answered 503. */
  readonly spill: boolean
  readonly patienceMs: number
  readonly host: string
  readonly port: number
  readonly tls: ReceiverTls | null
  readonly logWorker: () => Worker
  say(sentence: string): void
}

export interface SharedReceiver {
  state(): ReceiverState
  /** Why records do not reach the shared log; null when they do. */
  trouble(): string | null
  /** Records that only this machine has so far. */
  singleCopies(): number
  /** Whether a delivery sent now would be stored. */
  ready(): Promise<Readiness>
  /** Figures in the format of Prometheus. */
  metrics(): string
  close(): Promise<void>
}

/** Two batches at once keep the database and the network busy. */
const BATCHES = 2

/** Starts a receiver of a shared log: without a window, and without a store of its own but for the spill. @throws AcuseError */
export async function startSharedReceiver(options: SharedReceiverOptions): Promise<SharedReceiver> {
  const { url, name, folder, say } = options
  ensureDataDir(folder, say)
  const lock = FolderLock.take(join(folder, 'acuse.lock'), folder)
  let outdated = false
  const rules = new SharedRules({
    url,
    name,
    passphrase: options.passphrase,
    own: {
      settings: { get: () => DEFAULT_SETTINGS, change: async () => DEFAULT_SETTINGS },
      secrets: { get: async () => undefined, set: async () => {} },
    },
    changed: () => void endpoints.load(),
    trouble(now) {
      outdated = now !== null
      say(now === null ? 'The endpoints can be read again.' : `The endpoints stay as they were: ${now}`)
    },
  })
  const endpoints = new EndpointBook(rules.settings, rules.secrets)
  const spillFolder = join(folder, 'spill')
  /** Why deliveries do not reach the shared log, and why not the spill. */
  let reason: string | null = null
  let full: string | null = null
  const disk = new LogThread({
    start: options.logWorker,
    folder: spillFolder,
    trouble(now) {
      if (now !== null && now !== full) say(`The spill cannot be written: ${now}`)
      full = now
    },
    problem: (problem) =>
      problem.kind === 'unfinished' &&
      say(`The spill ends with ${problem.bytes} unreadable bytes of an unfinished write.`),
  })
  try {
    await rules.open()
    await endpoints.load()
    await disk.open({ position: 0, id: 0 }, 0)
  } catch (error) {
    rules.close()
    await disk.close()
    lock.release()
    throw error
  }
  const spill = new Spill(disk, logIn(spillFolder), spillFolder, (from, to) =>
    say(`Records ${from} to ${to} of the spill cannot be read, so they are lost; reconcile to find them.`),
  )
  const log = new SharedLog({
    url,
    name,
    spill: options.spill ? spill : null,
    patienceMs: options.patienceMs,
    trouble(now) {
      reason = now
      if (now === null) say('Deliveries reach the shared log again.')
      else
        say(
          options.spill
            ? `Deliveries are kept on this machine only: ${now}`
            : `Deliveries are answered 503: ${now}`,
        )
    },
  })
  const capture = new IntakeQueue({
    log,
    writer: { correct: async () => {} },
    answers: new RecentAnswers(),
    budget: { refusal: null },
    batches: BATCHES,
    lasted() {},
  })
  let given: { readonly list: unknown; readonly rules: ReceiverRules } | undefined
  const { bodyLimit, maxConnections, maxConnectionsPerAddress } = DEFAULT_SETTINGS.receiver
  const meter = new Meter()
  const receiver = createReceiver({
    capture: meter.watching(capture),
    certificates: createCertificates(folder),
    now: createArrivalClock(),
    warn: say,
    // The same object while nothing has changed: the receiver caches what it derives from it.
    rules() {
      const list = endpoints.all()
      if (given?.list !== list)
        given = { list, rules: { endpoints: list, bodyLimit, maxConnections, maxConnectionsPerAddress } }
      return given.rules
    },
  })
  await receiver.start(options.host, options.port, options.tls)
  let wasAlone = false
  const beat = new Beat(
    url,
    () => {
      const state = receiver.state()
      return {
        origin: log.origin,
        name,
        address: state.state === 'listening' ? state.url : null,
        singleCopies: spill.waiting,
        outdated,
      }
    },
    (isAlone) => {
      if (isAlone === wasAlone) return
      wasAlone = isAlone
      say(
        isAlone
          ? 'The database has no synchronous standby, so its loss would lose deliveries that were answered.'
          : 'The database has a synchronous standby now.',
      )
    },
  )
  await beat.beat()
  log.follow(() => beat.announce())
  const ready = createReadiness(
    () => log.append([]),
    () => {
      const refusing = reason !== null && !options.spill
      const store = {
        state: refusing ? 'refusing' : 'ok',
        path: folder,
        reason: [reason, full].filter(Boolean).join(' ') || null,
        incidents: [],
        logProblems: [],
      } as const
      return { receiver: receiver.state(), store }
    },
    { now: Date.now },
  )
  return {
    async ready() {
      const told = await ready()
      // The spill takes what the shared log has not taken within the patience, so a stall must not take all receivers from their balancer.
      return told.reason === 'store-stuck' && options.spill && reason === null ? READY : told
    },
    metrics: () =>
      exposition([
        ...meter.families(),
        gauge(
          'acuse_receiver_listening',
          'Whether the receiver listens.',
          Number(receiver.state().state === 'listening'),
        ),
        gauge(
          'acuse_shared_log_reached',
          'Whether deliveries reach the shared log.',
          Number(reason === null),
        ),
        gauge(
          'acuse_endpoints_current',
          'Whether changes of the endpoints and their secrets can be read.',
          Number(!outdated),
        ),
        gauge('acuse_single_copies', 'Records that only this machine has so far.', spill.waiting),
      ]),
    state: () => receiver.state(),
    trouble: () => reason,
    singleCopies: () => spill.waiting,
    async close() {
      await receiver.stop()
      await capture.close()
      await beat.close()
      await log.close()
      rules.close()
      spill.close()
      await disk.close()
      lock.release()
    },
  }
}

import { randomBytes } from 'node:crypto'
import { networkInterfaces } from 'node:os'
import type { Worker } from 'node:worker_threads'
import type { Params, Result } from '#contract/commands.ts'
import type { MachineAddress } from '#contract/connect.ts'
import type { Connection } from '#contract/connection.ts'
import type { ScheduleState } from '#contract/schedule.ts'
import type { SessionInfo } from '#contract/session.ts'
import type { ReceiverTls, Settings } from '#contract/settings.ts'
import type { Capabilities, CoverageState, ReceiverState } from '#contract/status.ts'
import { Alerts } from '#core/alerts/alerts.ts'
import { SelfTests } from '#core/connect/self-test.ts'
import { ConnectionBook } from '#core/connections.ts'
import { EndpointBook } from '#core/endpoints.ts'
import { createEngine, type Engine } from '#core/engine/engine.ts'
import { FaultBook } from '#core/faults.ts'
import { maskedNamesOf } from '#core/masking.ts'
import type { Receiver, Secrets, Updates } from '#core/ports.ts'
import type { RetryPolicy } from '#core/reconcile/sync-source.ts'
import type { Surroundings } from '#core/replay/parcels.ts'
import type { Timer } from '#core/schedules/ports.ts'
import { Schedules } from '#core/schedules/schedules.ts'
import { TargetBook } from '#core/targets.ts'
import { tracingDeliveries } from '#core/traces.ts'
import { Meter } from '#core/watch/meter.ts'
import { createDestinations } from '#outbound/destination-policy.ts'
import { OtlpExporter, type Tracing, tracingHeaders } from '#outbound/otlp.ts'
import { createSender } from '#outbound/sender.ts'
import { createArrivalClock } from '#receiver/arrival-clock.ts'
import { createReceiver, type ReceiverRules } from '#receiver/receiver.ts'
import { storeFiles } from '#storage/disk/files.ts'
import { openStore, type StoreWorkers } from '#storage/facade/store.ts'
import { openAlertMemories } from './alert-memory.ts'
import { createAlertSender } from './alert-sender.ts'
import { createCertificates } from './certificates.ts'
import { ensureDataDir, originOf } from './data-dir.ts'
import { openScheduleMemories, recallSchedule } from './memories.ts'
import { addressOf } from './receiver-subscription.ts'
import { createThreadReconciles } from './reconcile/thread-reconciles.ts'
import { createThreadReplays } from './replay/thread-replays.ts'
import { SandboxRunner } from './sandbox-runner.ts'
import { openSettings } from './settings-file.ts'
import { type FollowedLog, mirroredBy, sourceOf } from './source.ts'
import { createSourceControl } from './source-control.ts'
import { createThreadTransfers } from './transfer/thread-transfers.ts'

export interface HostWorkers extends StoreWorkers {
  replay(): Worker
  reconcile(): Worker
  transfer(): Worker
}

export interface HostOptions {
  readonly dataDir: string
  readonly workers: HostWorkers
  readonly secrets: Secrets
  readonly capabilities: Capabilities
  readonly version: string
  /** `enabled: false` for a command that only reads. An address given here holds for this run only. */
  readonly receiver: {
    readonly enabled: boolean
    readonly host?: string
    readonly port?: number
    readonly tls?: ReceiverTls
  }
  /** The shared log whose deliveries this host shows; default: the one that the data folder's settings name. */
  readonly follow?: FollowedLog
  /** Whether to start the sandbox again when it ran at the last host's end; default true. */
  readonly resumeSandbox?: boolean
  /** Retry policy for pages of the sync routes; default RETRIES. */
  readonly retries?: RetryPolicy
  /** Environment with ACUSE_API_KEY and ACUSE_PLUGIN_TOKEN; default: the process's. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** The session file whose copy the data folder is: then commands only read. */
  readonly session?: SessionInfo
  readonly uiLink?: () => string
  readonly updates?: Updates
  swept?(state: ScheduleState): void
  /** Runs once the engine exists and before the receiver listens: rules for accepting deliveries must be in force by then. */
  beforeListening?(engine: Engine): Promise<void>
  /** Loads code that the caller needs later, while the store's threads start. */
  load?(): Promise<unknown>
  warn(message: string): void
}

export interface Host {
  readonly engine: Engine
  readonly dataDir: string
  readonly sandbox: SandboxRunner | null
  /** Stops accepting deliveries, finishes requests in flight, closes the store. Idempotent. @param why what coverage records; default: off */
  close(why?: 'update'): Promise<void>
}

/** Builds a host from all its parts. @throws AcuseError `in-use`, `newer-schema` or `store-failed` when the data folder cannot be opened */
export async function assemble(options: HostOptions): Promise<Host> {
  ensureDataDir(options.dataDir, options.warn)
  const own = { settings: await openSettings(options.dataDir, options.warn), secrets: options.secrets }
  // Only then, because it loads the client of PostgreSQL.
  const found = await sourceOf(options)
  const { openFollowed } = found ? await import('./follower.ts') : {}
  const follow = found && { ...found, origin: originOf(options.dataDir) }
  const followed = follow && (await openFollowed?.(follow, own, options.warn, () => void endpoints.load()))
  const { settings, secrets } = followed ?? own
  const endpoints: EndpointBook = new EndpointBook(settings, secrets)
  const targets = new TargetBook(settings, secrets)
  const connections = new ConnectionBook(settings, secrets, options.environment ?? process.env)
  const clock = { now: Date.now }
  const faults = new FaultBook(clock)
  const [store] = await Promise.all([
    openStore({
      folder: options.dataDir,
      workers: options.workers,
      // From the settings, which load before the endpoints' secrets.
      maskedNames: () => maskedNamesOf(settings.get()),
      retention: () => settings.get().retention,
      mirrors: await mirroredBy(options.dataDir, followed?.log),
      copied: options.session !== undefined,
    }),
    endpoints.load(),
    targets.load(),
    connections.load(),
    options.load?.(),
  ])

  const certificates = createCertificates(options.dataDir)
  // Not the agents of replays: the self-test may send to our own receiver.
  const selfTestSender = createSender()
  let rules: ReceiverRules | undefined
  let ruled: Settings['receiver'] | undefined
  const selfTests: SelfTests = new SelfTests({
    sender: selfTestSender,
    receiver: { state: () => receiver?.state() ?? { state: 'off' } },
    clock,
    version: options.version,
    token: () => randomBytes(18).toString('base64url'),
  })
  const meter = new Meter()
  const ownSender = createSender()
  const exporter = new OtlpExporter(ownSender, options.warn)
  const { OTEL_EXPORTER_OTLP_HEADERS } = options.environment ?? process.env
  const tracing = (): Tracing => ({
    ...settings.get().telemetry,
    version: options.version,
    headers: tracingHeaders(OTEL_EXPORTER_OTLP_HEADERS),
  })
  exporter.configure(tracing())
  const traced = tracingDeliveries(
    selfTests.watching(store.capture),
    () => exporter.isOn,
    (span) => exporter.add(span),
  )
  const receiver: Receiver | null =
    options.receiver.enabled && !follow
      ? createReceiver({
          capture: meter.watching(traced),
          // Functions, since receiver and replays need each other; they run only once the receiver listens.
          answering: {
            faults,
            replays: { answers: () => replays.answers(), answerFor: (id) => replays.answerFor(id) },
          },
          // The same object while nothing has changed: the receiver caches what it derives from it.
          rules: () => {
            const { receiver } = settings.get()
            const list = endpoints.all()
            if (rules?.endpoints !== list || ruled !== receiver) {
              const { bodyLimit, maxConnections, maxConnectionsPerAddress } = receiver
              rules = { endpoints: list, bodyLimit, maxConnections, maxConnectionsPerAddress }
              ruled = receiver
            }
            return rules
          },
          now: createArrivalClock(),
          certificates,
          warn: options.warn,
        })
      : null
  const { version, dataDir, capabilities, warn } = options
  /** Whether this host does automatic work. */
  const works = receiver !== null || follow !== undefined
  const sandbox = receiver
    ? new SandboxRunner({
        folder: dataDir,
        receiver: () => addressOf(receiver, endpoints),
        // A function, since the engine does not exist yet; it runs only later.
        moved: (from, to) =>
          followSandbox(settings.get().connections, from, to, (params) =>
            engine.call('connections.save', params),
          ),
        warn,
      })
    : null
  const replays = createThreadReplays({
    paths: storeFiles(dataDir),
    worker: options.workers.replay,
    store,
    forwarding: works,
    shared: follow && { url: follow.url, name: follow.name, origin: follow.origin },
    surroundings: () => ({
      targets: targets.all(),
      secretHeaders: [...endpoints.secretHeaders()],
      ownReceiver: listeningAt(receiver),
      traced: settings.get().telemetry.endpoint !== null,
    }),
    tracing,
    warn,
  })
  const reconciles = createThreadReconciles({
    paths: storeFiles(dataDir),
    worker: options.workers.reconcile,
    version,
    store,
    retries: options.retries,
    surroundings: () => ({ connections: connections.all(), ownReceiver: listeningAt(receiver) }),
    warn,
  })
  const transfers = createThreadTransfers({
    paths: storeFiles(dataDir),
    worker: options.workers.transfer,
    store,
    version,
    names: () => maskedNamesOf(settings.get()),
    connections: () => settings.get().connections,
    merge: {
      attempts: (path, links) => replays.merge(path, links),
      sweeps: (path, links) =>
        reconciles.merge(path, links, (theirs, known) => connections.adopt(theirs, known)),
    },
    warn,
  })
  const schedules = new Schedules({
    settings,
    connections,
    clock,
    warn,
    memories: await openScheduleMemories(dataDir),
    recall: recallSchedule,
    leases: followed?.leases,
    timer,
    // A function, since the engine does not exist yet; it runs only later.
    call: (command, params) => engine.call(command, params),
    startJob: (params) => replays.call('jobs.start', params),
    onSweeps: (listener) => reconciles.onNotice(listener),
    knowsTarget: (name) => targets.all().some((target) => target.name === name),
  })
  if (options.swept) schedules.onEnd(options.swept)
  const destinations = createDestinations(() => listeningAt(receiver))
  const alerts = new Alerts({
    ...{ settings, store, clock, timer, warn, onSwept: schedules.onEnd, swept: () => schedules.list() },
    ...{ receiver: receiver ?? followed?.receivers ?? null, leases: followed?.leases },
    ...(await openAlertMemories(dataDir)),
    ...createAlertSender({ dataDir, version, sender: ownSender, targets, destinations }),
  })
  targets.onChange(() => replays.changed())
  connections.onChange(() => reconciles.changed())
  endpoints.onChange(() => replays.changed())
  receiver?.onState(() => {
    ownSender.setOwnReceiver(listeningAt(receiver))
    replays.changed()
    reconciles.changed()
  })
  const source = createSourceControl({
    ...{ dataDir, store, follow },
    secrets: options.secrets,
    // A function, since the engine does not exist yet; it runs only later.
    receive: async (on) => receiver && engine.call(on ? 'receiver.start' : 'receiver.stop', {}),
  })
  const engine: Engine = createEngine({
    store,
    receiver,
    sandbox,
    replays,
    reconciles,
    schedules,
    alerts,
    transfers,
    settings,
    endpoints,
    targets,
    connections,
    faults,
    certificates,
    meter: receiver && meter,
    connect: receiver ? { selfTests, addresses: machineAddresses } : null,
    destinations,
    tracingChanged() {
      exporter.configure(tracing())
      replays.changed()
    },
    clock,
    run: options.receiver,
    info: { version, dataDir, capabilities, ...(options.session && { session: options.session }) },
    ...(options.uiLink ? { uiLink: options.uiLink } : {}),
    ...(options.updates ? { updates: options.updates } : {}),
    ...(followed ? { following: followed } : {}),
    ...(options.session ? {} : { source }),
  })

  let updating = false
  try {
    await followed?.follow(store, options.dataDir)
    await options.beforeListening?.(engine)
  } catch (error) {
    await schedules.close()
    await followed?.close()
    await Promise.all([replays.close(), reconciles.close(), transfers.close()])
    engine.close()
    await store.close()
    throw error
  }
  if (receiver) {
    const record = (state: ReceiverState) =>
      store.coverage
        .enter(updating && state.state === 'off' ? 'update' : COVERAGE[state.state])
        .catch((error: unknown) => options.warn(`Coverage could not be recorded: ${String(error)}`))
    receiver.onState((state) => void record(state))
    await engine.dispatch('receiver.start', {})
    receiver.onState(() => sandbox?.follow())
    endpoints.onChange(() => sandbox?.follow())
    if (options.resumeSandbox ?? true) void sandbox?.resume()
  }
  if (works) {
    replays.resume()
    alerts.begin()
    schedules.begin().catch((error: unknown) => warn(`Scheduled sweeps could not begin: ${String(error)}`))
  }

  let closing: Promise<void> | undefined
  return {
    engine,
    dataDir,
    sandbox,
    close(why) {
      updating ||= why === 'update'
      closing ??= (async () => {
        // First: that the receiver stops now is no incident.
        await alerts.close()
        await followed?.close()
        // A sweep paused from now on was not paused by the user.
        await schedules.close()
        // Before the receiver stops: the sandbox's last events must still reach it.
        await sandbox?.close()
        await receiver?.stop()
        // After the receiver, whose last answers may come from a target; before the store, whose files replays still use.
        await Promise.all([replays.close(), reconciles.close(), transfers.close()])
        selfTestSender.close()
        await exporter.close()
        ownSender.close()
        engine.close()
        await store.close()
      })()
      return closing
    },
  }
}

const timer: Timer = {
  set(ms, work) {
    const set = setTimeout(work, ms)
    return () => clearTimeout(set)
  },
}

function listeningAt(receiver: Receiver | null): Surroundings['ownReceiver'] {
  const state = receiver?.state()
  return state?.state === 'listening' ? { host: state.host, port: state.port } : null
}

const COVERAGE: Readonly<Record<ReceiverState['state'], CoverageState>> = {
  off: 'off',
  starting: 'starting',
  listening: 'listening',
  failed: 'port-lost',
}

/** Without link-local addresses: they need a zone that only this machine knows, so no sender can use them. */
const LINK_LOCAL = /^(?:169\.254\.|fe80:)/i

function machineAddresses(): readonly MachineAddress[] {
  return Object.entries(networkInterfaces())
    .flatMap(([name, all]) => (all ?? []).map((one) => ({ name, ...one })))
    .filter(({ internal, address }) => !internal && !LINK_LOCAL.test(address))
    .map(
      ({ name, address, family }): MachineAddress => ({ name, address, family: family === 'IPv6' ? 6 : 4 }),
    )
    .toSorted((a, b) => a.family - b.family)
}

type Save = (params: Params<'connections.save'>) => Promise<Result<'connections.save'>>

/** Points the sandbox's connections at its present address; credentials stay, since its keys survive a restart. */
export async function followSandbox(
  connections: readonly Connection[],
  from: string,
  to: string,
  save: Save,
): Promise<void> {
  // In sequence: each call saves the same settings.
  for (const { apiKey: _key, pluginToken: _token, ...terms } of connections)
    if (terms.baseUrl === from) await save({ ...terms, previousName: terms.name, baseUrl: to })
}

import {
  COMMANDS,
  type CommandName,
  type Handlers,
  type HandlersOf,
  isCommand,
  isReading,
  type Result,
} from '#contract/commands.ts'
import { AcuseError, refused } from '#contract/errors.ts'
import { firstWrong, paramWords } from '#contract/param-words.ts'
import type { Settings } from '#contract/settings.ts'
import type { HostStatus } from '#contract/status.ts'
import { TRANSFERS } from '#contract/transfer.ts'
import type { Alerts } from '../alerts/alerts.ts'
import { type Connect, connectHandlers, demandCurrent } from '../connect/self-test.ts'
import type { ConnectionBook } from '../connections.ts'
import type { EndpointBook } from '../endpoints.ts'
import type { FaultBook } from '../faults.ts'
import { createMasking, type Masking, maskedNamesOf } from '../masking.ts'
import type {
  Call,
  Certificates,
  Clock,
  Deliveries,
  Destinations,
  Receiver,
  Reconciles,
  Replays,
  SandboxControl,
  SettingsStore,
  SourceControl,
  Store,
  Transfers,
  Updates,
} from '../ports.ts'
import { demandSendable, demandUnused, pushReplays, replayHandlers } from '../replay/handlers.ts'
import { pushSchedules, type Schedules, scheduleHandlers } from '../schedules/schedules.ts'
import { pushSweeps, reconcileHandlers } from '../sweep/handlers.ts'
import type { TargetBook } from '../targets.ts'
import { demandSending, type Feed, forwarded } from '../threads.ts'
import type { Meter } from '../watch/meter.ts'
import { createMetrics } from '../watch/metrics.ts'
import { createReadiness, proveStore } from '../watch/readiness.ts'
import { deliveryHandlers } from './deliveries.ts'
import { filterHandlers, watchFilters } from './filters.ts'
import { createListening, type RunPlace } from './listening.ts'
import { ArrivalRate, PushFeed, type PushListener } from './pushes.ts'
import { sandboxHandlers } from './sandbox.ts'

export interface Engine {
  readonly call: Call
  /**
   * Checks the name and the parameters, then runs the command.
   * @throws AcuseError `unknown-command`, `bad-params` (details.path says where), or the command's own errors
   */
  dispatch(command: string, params: unknown): Promise<unknown>
  /** @returns a function that unsubscribes */
  subscribe(listener: PushListener): () => void
  close(): void
}

interface EnginePorts {
  readonly store: Store
  /** Null in a host that only reads, such as a command without a running host. */
  readonly receiver: Receiver | null
  /** Overrides where the receiver listens during this run. */
  readonly run?: RunPlace
  /** Null in a host without a sandbox. */
  readonly sandbox: SandboxControl | null
  /** Replays, reconciles, schedules and alerts are null in a host that sends nothing. */
  readonly replays: Replays | null
  readonly reconciles: Reconciles | null
  readonly schedules: Schedules | null
  readonly alerts: Alerts | null
  readonly transfers: Transfers
  readonly settings: SettingsStore
  readonly endpoints: EndpointBook
  readonly targets: TargetBook
  readonly connections: ConnectionBook
  readonly faults: FaultBook
  readonly destinations: Destinations
  readonly certificates: Certificates
  /** Null in a host without a receiver. */
  readonly connect: Connect | null
  /** Null in a host without a receiver. */
  readonly meter: Meter | null
  readonly clock: Clock
  readonly info: Result<'app.info'>
  readonly uiLink?: () => string
  /** Absent in a host that does not replace itself. */
  readonly updates?: Updates
  /** Absent in a host on a session file. */
  readonly source?: SourceControl
  /** The shared log that this host follows. */
  readonly following?: { state(): NonNullable<HostStatus['following']>; onChange(listener: () => void): void }
  /** Called after the settings of telemetry changed. */
  tracingChanged(): void
}

export function createEngine(ports: EnginePorts): Engine {
  const { store, receiver, replays, reconciles, schedules, alerts, settings } = ports
  const { endpoints, targets, connections, faults, clock, destinations } = ports
  const masking = createMasking(() => maskedNamesOf(settings.get()))
  const deliveries = coveringRows(store.deliveries, masking)
  const { updates = NO_UPDATES } = ports
  const rate = new ArrivalRate()
  const feed = new PushFeed(store, deliveries, status)
  store.onNotice((notice) => {
    if (notice.type === 'arrived') rate.add(notice.lastId - notice.firstId + 1, clock.now())
  })
  receiver?.onState(() => feed.statusChanged())
  faults.onChange(() => feed.statusChanged())
  ports.following?.onChange(() => feed.statusChanged())
  if (replays) pushReplays(replays, feed)
  if (reconciles) pushSweeps(reconciles, feed)
  if (schedules) pushSchedules(schedules, feed)
  if (alerts) pushAlerts(alerts, feed)
  const stopWatching = watchFilters({
    store,
    settings,
    clock,
    tell: (matches) => feed.send('filters.matched', matches),
  })

  function status(): HostStatus {
    const { counts, disk, ...rest } = store.status()
    const { budgetBytes, overBudget } = settings.get().retention
    const failing = alerts?.failing() ?? []
    return {
      receiver: receiver?.state() ?? { state: 'off' },
      store: rest,
      counts,
      faults: faults.list(),
      ...(ports.following ? { following: ports.following.state() } : {}),
      ...(failing.length > 0 ? { alertsFailing: failing } : {}),
      rate: rate.perSecond(clock.now()),
      disk: { ...disk, budgetBytes, overBudget },
    }
  }

  async function announce(changed: Promise<Settings>): Promise<Settings> {
    const present = connections.shown(await changed)
    feed.send('settings.changed', present)
    feed.statusChanged()
    return present
  }

  /** Remembers the last target as the default for the next replay; a one-time URL is not remembered. */
  async function sentTo(target: string): Promise<void> {
    const known = targets.all().some(({ name }) => name === target)
    if (known && settings.get().defaultTarget !== target) await announce(targets.setDefault(target))
  }

  /** Checks the destination again, since the receiver's address may have changed after the target was saved. */
  async function sendable(reference: string, path: string): Promise<void> {
    const url = targets.all().find(({ name }) => name === reference)?.url ?? reference
    // Unknown target names are refused later, with a better error.
    if (url.includes('://')) await demandSendable(destinations, url, path)
  }

  const listening = receiver && createListening(receiver, settings, ports.run)
  async function listen(address: { host?: string; port?: number }): Promise<HostStatus> {
    if (!listening) throw refused('not-available', 'only-reads')
    if (address.host !== undefined || address.port !== undefined)
      await announce(
        settings.change((present) => ({ ...present, receiver: { ...present.receiver, ...given(address) } })),
      )
    await listening.start(address)
    return status()
  }

  /** A removed endpoint keeps its name, since deliveries refer to it. */
  function endpoint(name: string | null): { readonly name: string; readonly path: string } {
    const list = settings.get().endpoints
    const found = list.find((one) => (name === null ? one.path === '/' : one.name === name))
    return { name: found?.name ?? name ?? 'default', path: found?.path ?? '/' }
  }

  function source(): SourceControl {
    if (!ports.source) throw refused('not-available', 'only-reads')
    return ports.source
  }

  const ready = createReadiness(() => proveStore(store.capture), status, clock)
  const metrics = createMetrics({
    call: (command, params) => handlers[command](params),
    status,
    meter: ports.meter,
    version: ports.info.version,
    now: clock.now,
  })
  const handlers: Handlers = {
    'app.info': async () => ({ ...ports.info }),
    'status.get': async () => status(),
    'status.ready': ready,
    'metrics.get': async () => ({ text: await metrics() }),
    'receiver.start': listen,
    'receiver.stop': async () => {
      await receiver?.stop()
      return status()
    },
    ...deliveryHandlers(store, deliveries, masking.detail),
    'source.get': () => source().get(),
    'source.test': (params) => source().test(params),
    'source.follow': (params) => source().follow(params),
    'coverage.list': async ({ from, to }) => ({ spans: await store.coverage.list(from, to) }),
    'settings.get': async () => connections.shown(settings.get()),
    'settings.update': async (patch) => {
      const { endpoint } = patch.telemetry ?? {}
      if (endpoint) await demandSendable(destinations, endpoint, 'telemetry.endpoint')
      if (patch.receiver?.tls) demandCurrent(await ports.certificates.load(patch.receiver.tls), clock.now())
      const before = settings.get().receiver
      const after = await announce(
        settings.change((present) => ({
          ...present,
          receiver: { ...present.receiver, ...given(patch.receiver) },
          masking: { ...present.masking, ...given(patch.masking) },
          retention: { ...present.retention, ...given(patch.retention) },
          telemetry: { ...present.telemetry, ...given(patch.telemetry) },
          desktop: { ...present.desktop, ...given(patch.desktop) },
          appearance: { ...present.appearance, ...given(patch.appearance) },
        })),
      )
      await listening?.changed(before, after.receiver)
      if (patch.telemetry) ports.tracingChanged()
      return after
    },
    'endpoints.save': (params) => announce(endpoints.save(params)),
    'endpoints.remove': ({ name }) => announce(endpoints.remove(name)),
    'endpoints.set-secret': ({ name, header, value, keepPrevious }) =>
      announce(endpoints.setSecret(name, header, value, keepPrevious)),
    'endpoints.clear-secret': ({ name, which }) => announce(endpoints.clearSecret(name, which)),
    'store.salvage': async ({ at }) => ({ recovered: await store.salvage(at) }),
    'store.verify': () => store.verify(),
    'ui.link': async () => {
      if (!ports.uiLink) throw refused('not-available', 'no-browser')
      return { url: ports.uiLink() }
    },
    'targets.save': async (params) => {
      const { previousName } = params
      if (previousName !== undefined && previousName !== params.name) {
        await demandUnused(replays, previousName)
        schedules?.demandUnused(previousName)
        alerts?.demandUnused(previousName)
      }
      await demandSendable(destinations, params.url, 'url')
      return announce(targets.save(params))
    },
    'targets.remove': async ({ name }) => {
      await demandUnused(replays, name)
      schedules?.demandUnused(name)
      alerts?.demandUnused(name)
      return announce(targets.remove(name))
    },
    'targets.set-default': ({ name }) => announce(targets.setDefault(name)),
    ...filterHandlers({ settings, announce }),
    'faults.list': async () => ({ faults: faults.list() }),
    'faults.add': async (rule) => ({ faults: faults.add(rule) }),
    'faults.remove': async ({ id }) => ({ faults: faults.remove(id) }),
    'faults.clear': async () => ({ faults: faults.clear() }),
    ...sandboxHandlers(ports.sandbox, masking),
    ...connectHandlers(ports.connect, masking),
    ...replayHandlers(replays, masking, sentTo, sendable, (ids) => store.deliveries.filed(ids)),
    ...reconcileHandlers({ reconciles, connections, schedules, store, clock, masking, announce, endpoint }),
    ...scheduleHandlers(schedules, announce),
    ...alertHandlers(alerts, announce),
    'updates.get': async () => updates.state(),
    'updates.check': async () => updates.check(),
    'updates.install': async () => updates.install(),
    ...forwarded(TRANSFERS, (command, params) => ports.transfers.call(command, params)),
  }

  /** @throws AcuseError `bad-params` with the path of the first wrong member */
  async function carryOut<C extends CommandName>(command: C, params: unknown): Promise<Result<C>> {
    const checked = COMMANDS[command].params.safeParse(params ?? {}, { error: paramWords })
    if (checked.success) return handlers[command](checked.data)
    const wrong = firstWrong(checked.error)
    const path = wrong.path.join('.')
    throw new AcuseError('bad-params', `${path || 'parameters'}: ${wrong.message}`, { path })
  }

  return {
    call: (command, params) => handlers[command](params),
    subscribe: (listener) => feed.subscribe(listener),
    close() {
      stopWatching()
      feed.close()
      faults.close()
    },
    async dispatch(command, params) {
      if (!isCommand(command))
        throw new AcuseError('unknown-command', `There is no command "${command.slice(0, 80)}".`)
      const { session } = ports.info
      if (session && !isReading(command)) throw refused('read-only', 'session', { file: session.file })
      return carryOut(command, params)
    },
  }
}

const UNSUPPORTED = { state: 'unsupported' } as const
const NO_UPDATES: Updates = {
  state: () => UNSUPPORTED,
  check: async () => UNSUPPORTED,
  install: () => UNSUPPORTED,
}

/** Larger than any malformed head that the receiver keeps. */
const MOST_HEAD = 1_048_576

/**
 * Masks credentials in each row's request target, and in an unparsed head that was stored as the body. Only `get`, and `scan` with
 * `reveal`, return everything.
 */
function coveringRows(deliveries: Deliveries, { row, head }: Masking): Deliveries {
  const covered: Partial<Deliveries> = {
    page: async (filter, params) => {
      const page = await deliveries.page(filter, params)
      return { ...page, rows: page.rows.map(row) }
    },
    scan: async (filter, { reveal, ...params }) => {
      const rows = await deliveries.scan(filter, params)
      return reveal ? rows : rows.map(row)
    },
    rows: async (ids) => (await deliveries.rows(ids)).map(row),
    body: async (id, view, from, length) => {
      const [found] = await deliveries.rows([id])
      const headless = found?.malformed && (await deliveries.get(id))?.headers.length === 0
      if (!headless) return deliveries.body(id, view, from, length)
      const whole = await deliveries.body(id, view, 0, MOST_HEAD)
      if (!whole) return undefined
      const text = head(atob(whole.bytesBase64))
      return { ...whole, bytesBase64: btoa(text.slice(from, from + length)), total: text.length }
    },
    'documents.get': async (params) => {
      const life = await deliveries['documents.get'](params)
      return life && { ...life, steps: life.steps.map((step) => ({ ...step, row: row(step.row) })) }
    },
  }
  // All other methods come from the store, through the prototype.
  return Object.setPrototypeOf(covered, deliveries)
}

/** Removes undefined members, since spreading one would delete a setting. */
function given<T extends object>(patch: T | undefined): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(patch ?? {}).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> }
}

/** @param alerts null in a host that sends nothing */
function alertHandlers(
  alerts: Alerts | null,
  announce: (changed: Promise<Settings>) => Promise<Settings>,
): HandlersOf<`alerts.${string}`> {
  const there = () => demandSending(alerts)
  return {
    'alerts.save': async (params) => announce(there().save(params)),
    'alerts.remove': async ({ name }) => announce(there().remove(name)),
    'alerts.list': async () => ({ alerts: there().list() }),
    'alerts.test': async ({ name }) => there().test(name),
  }
}

function pushAlerts(alerts: Alerts, feed: Feed & { statusChanged(): void }): void {
  let failing = ''
  alerts.onChange(() => {
    if (feed.heard) feed.send('alerts.changed', { alerts: alerts.list() })
    const now = alerts.failing().join()
    if (now !== failing) feed.statusChanged()
    failing = now
  })
}

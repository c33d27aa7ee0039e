import { PLUGIN_EVENT_TYPES } from '#catalog/service.ts'
import { Dispatcher } from './dispatch/dispatcher.ts'
import { Forwarder } from './dispatch/forwarder.ts'
import { keptLaboratory } from './laboratory/laboratory.ts'
import { ExecutionLog } from './log/log.ts'
import {
  type ApiKeys,
  apiKeys,
  installedPlugins,
  newToken,
  OWN_NAME,
  type Plugins,
} from './records/credentials.ts'
import { openRecords, recordsPath } from './records/records.ts'
import { keptSubscriptions } from './records/subscriptions.ts'
import { syncFaults } from './routes/sync-routes.ts'
import { createApp, listen, stopListening } from './server.ts'
import { Runs, Traffic } from './traffic/traffic.ts'
import { openWorld } from './world/world.ts'

/** Secrets of a run. The file stores only hashes, so a caller must pass the secrets again to keep them. */
interface SandboxCredentials {
  readonly adminToken: string
  readonly apiKey: string
  readonly pluginToken: string
}

export interface SandboxOptions {
  /** A path, or ":memory:". The records' database is a second file beside it. */
  readonly file: string
  /** Seed of a new workspace; the same seed gives the same data. */
  readonly seed: number
  readonly port: number
  readonly host?: string
  readonly now?: () => number
  /** UTC offset of Timestamp; default "-04:00" (sandbox choice). */
  readonly offset?: string
  readonly deliveryTimeoutMs?: number
  readonly credentials?: Partial<SandboxCredentials>
  readonly warn?: (message: string) => void
}

export interface Sandbox extends SandboxCredentials {
  readonly url: string
  /** Stops listening, waits up to GRACE_MS for deliveries in flight, closes the files. Idempotent. */
  close(): Promise<void>
}

const GRACE_MS = 1_500

/** Time-out of a delivery's only attempt (sandbox choice). */
export const DELIVERY_TIMEOUT_MS = 10_000

/**
 * Starts a small invoicing service, which callers reach over HTTP only.
 * @throws the system's error when the port or the file cannot be used
 */
export async function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { file, seed, port, host = '127.0.0.1', now = Date.now, offset, warn = () => {} } = options
  const { deliveryTimeoutMs: timeoutMs = DELIVERY_TIMEOUT_MS } = options
  const world = openWorld({ file, seed, now, ...(offset === undefined ? {} : { offset }) })
  const records = openRecords(recordsPath(file))
  const log = new ExecutionLog(records, world.factsOf)
  const subscriptions = keptSubscriptions(records)
  const keys = apiKeys(records)
  const plugins = installedPlugins(records)
  const kept = keptLaboratory(records)
  const laboratory = kept.get
  const dispatcher = new Dispatcher({
    log,
    laboratory,
    now,
    timeoutMs,
    plan: () => world.workspace().plan,
    subscriptions: subscriptions.list,
  })
  const forwarder = new Forwarder({ plugins, log, now, timeoutMs })
  const runs = new Runs(dispatcher)
  const traffic = new Traffic(world, dispatcher)
  const credentials = ownCredentials(keys, plugins, options.credentials, now)
  const app = createApp({
    adminToken: credentials.adminToken,
    admin: {
      world,
      subscriptions,
      keys,
      plugins,
      laboratory: kept,
      log,
      dispatcher,
      runs,
      traffic,
      now,
      timeoutMs,
    },
    sync: { world, keys, laboratory, send: syncFaults(laboratory) },
    plugins: { plugins, forwarder },
    warn,
  })
  const shut = () => {
    log.flush()
    records.close()
    world.close()
  }
  const listening = await listen(app, host, port).catch((error: unknown) => {
    shut()
    throw error
  })
  let closing: Promise<void> | undefined
  return {
    ...credentials,
    url: listening.url,
    close() {
      closing ??= (async () => {
        traffic.stop('closed')
        runs.stopAll()
        await Promise.all([
          stopListening(listening.server, GRACE_MS),
          dispatcher.close(GRACE_MS),
          forwarder.close(),
        ])
        shut()
      })()
      return closing
    },
  }
}

function ownCredentials(
  keys: ApiKeys,
  plugins: Plugins,
  credentials: Partial<SandboxCredentials> | undefined,
  now: () => number,
): SandboxCredentials {
  keys.revokeNamed(OWN_NAME)
  const own = plugins.list().find(({ name, url }) => name === OWN_NAME && url === null)
  if (own) plugins.remove(own.id)
  const settings = { name: OWN_NAME, url: null, eventTypes: PLUGIN_EVENT_TYPES, active: true }
  return {
    adminToken: credentials?.adminToken ?? newToken('admin'),
    apiKey: keys.issue(OWN_NAME, now(), credentials?.apiKey).key,
    pluginToken: plugins.install(settings, now(), credentials?.pluginToken).token,
  }
}

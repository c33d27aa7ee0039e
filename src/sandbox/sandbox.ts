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

/** Only hashes are stored, so a user who wants the secrets to stay the same hands them in again. */
interface SandboxCredentials {
  readonly adminToken: string
  readonly apiKey: string
  readonly pluginToken: string
}

export interface SandboxOptions {
  /** A path, or ":memory:"; the service's own records stand beside it. */
  readonly file: string
  /** Of a workspace that is made; same seed, same data. */
  readonly seed: number
  readonly port: number
  readonly host?: string
  readonly now?: () => number
  /** Of Timestamp, such as "-04:00" (sandbox choice: the default). */
  readonly offset?: string
  readonly deliveryTimeoutMs?: number
  readonly credentials?: Partial<SandboxCredentials>
  readonly warn?: (message: string) => void
}

export interface Sandbox extends SandboxCredentials {
  readonly url: string
  /** Stops listening, lets deliveries under way end for a moment, closes the files. Safe to call twice. */
  close(): Promise<void>
}

const GRACE_MS = 1_500

/** Sandbox choice: one attempt, ever, and so long for it. */
export const DELIVERY_TIMEOUT_MS = 10_000

/**
 * The invoicing service in small, reached over HTTP only.
 * @throws the system's error when the port or the file cannot be had
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

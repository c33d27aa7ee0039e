import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import type { ErrorRequestHandler, Express, Request, Response } from 'express'
import express from 'express'
import { PLUGIN_EVENT_TYPES, ROUTES } from '#catalog/service.ts'
import type { AdminContext } from './admin/answers.ts'
import { adminRouter } from './admin/router.ts'
import { Dispatcher } from './dispatch/dispatcher.ts'
import { Forwarder } from './dispatch/forwarder.ts'
import { bad, notFound, Refusal } from './domain/refusal.ts'
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
import { keptSubscriptions } from './records/subscriptions.ts'
import {
  accountingSync,
  type PluginContext,
  pluginEvents,
  type SyncContext,
  syncFaults,
  treasurySync,
} from './routes/sync-routes.ts'
import { claimDatabase } from './state/database.ts'
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

interface Trace {
  readonly kind: string
  readonly statusId: number | null
}

/**
 * Whether a later event of the same subject hides a lost one, so that nothing can prove the miss (reading
 * "Reconciling").
 * Creations, voids and deactivations are never hidden. The next edit hides an edit, since its content is newer. The next status hides a
 * status, and so does an event with another status.
 */
export function supersedes(lost: Trace, later: Trace): boolean {
  if (lost.kind.endsWith('.updated')) return later.kind === lost.kind
  if (!lost.kind.startsWith('dgii.')) return false
  return later.kind.startsWith('dgii.') || (later.statusId !== null && later.statusId !== lost.statusId)
}

/** Path of the records' database: a file of its own, so that the world's transactions and the log never wait for each other. */
const recordsPath = (file: string): string =>
  file === ':memory:' ? file : `${file.replace(/\.(?:db|sqlite3?)$/, '')}.service.db`

const SCHEMA = `
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, content TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS subscriptions (id INTEGER PRIMARY KEY AUTOINCREMENT, settings TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, hash TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS plugins (
  id INTEGER PRIMARY KEY AUTOINCREMENT, settings TEXT NOT NULL, hash TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS events (
  seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, subject TEXT NOT NULL, status_id INTEGER, at INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS events_of_subject ON events (subject, seq);
CREATE TABLE IF NOT EXISTS log (
  id INTEGER PRIMARY KEY AUTOINCREMENT, type TEXT NOT NULL, run TEXT, seq INTEGER, kind TEXT NOT NULL, subject TEXT,
  status_id INTEGER, cause TEXT NOT NULL, target_id INTEGER NOT NULL, target_name TEXT NOT NULL, outcome TEXT NOT NULL,
  lost INTEGER NOT NULL, laboratory TEXT NOT NULL, error TEXT, error_code TEXT, at INTEGER NOT NULL, duration_ms REAL, method TEXT NOT NULL,
  url TEXT NOT NULL, request_head TEXT, request_body BLOB NOT NULL, answer_status INTEGER, answer_head TEXT, answer_body BLOB,
  answer_truncated INTEGER
) STRICT;
CREATE INDEX IF NOT EXISTS log_of_run ON log (run, id) WHERE run IS NOT NULL;
CREATE INDEX IF NOT EXISTS log_of_event ON log (seq, target_id) WHERE seq IS NOT NULL;
CREATE INDEX IF NOT EXISTS log_of_lost ON log (id) WHERE lost;
`

export function openRecords(path: string): DatabaseSync {
  if (path !== ':memory:') claimDatabase(path)
  const db = new DatabaseSync(path)
  // NORMAL: a crash of the machine may lose the log's last entries, which nothing relies on.
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 2000')
  db.exec(SCHEMA)
  // Version 0.1 wrote no such column.
  const columns = db.prepare(`SELECT name FROM pragma_table_info('log')`).all()
  if (!columns.some(({ name }) => name === 'error_code'))
    db.exec('ALTER TABLE log ADD COLUMN error_code TEXT')
  db.function('supersedes', { deterministic: true }, (lostKind, lostStatus, kind, status) =>
    Number(
      supersedes(
        { kind: String(lostKind), statusId: numberOrNull(lostStatus) },
        { kind: String(kind), statusId: numberOrNull(status) },
      ),
    ),
  )
  return db
}

const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null)

const errorBody = ({ code, message, field }: Refusal) => ({
  error: { code, message, ...(field === undefined ? {} : { field }) },
})

interface AppContext {
  readonly adminToken: string
  readonly admin: AdminContext
  readonly sync: SyncContext
  readonly plugins: PluginContext
  warn(message: string): void
}

/** Makes the app with the service's three public routes and the sandbox's admin API. */
function createApp({ adminToken, admin, sync, plugins, warn }: AppContext): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.enable('case sensitive routing')
  app.enable('strict routing')
  const { accountingSync: accounting, treasurySync: treasury, pluginEvents: events } = ROUTES
  serve(app, accounting, (request, response) => accountingSync(sync, request, response))
  serve(app, treasury, (request, response) => treasurySync(sync, request, response))
  serve(app, events, (request, response) => pluginEvents(plugins, request, response))
  app.use('/_sandbox', adminRouter(admin, adminToken))
  app.use(() => {
    throw notFound('There is no such route.')
  })
  app.use(refuse(warn))
  return app
}

type Handler = (request: Request, response: Response) => Promise<void>

function serve(
  app: Express,
  { method, path }: { readonly method: 'GET' | 'POST'; readonly path: string },
  handler: Handler,
) {
  app[method === 'GET' ? 'get' : 'post'](path, handler)
  app.all(path, () => {
    throw new Refusal(405, 'method-not-allowed', `This route takes ${method} only.`, {
      headers: { Allow: method },
    })
  })
}

const refuse =
  (warn: AppContext['warn']): ErrorRequestHandler =>
  (error, _request, response, _next) => {
    const refusal = refusalOf(error)
    if (refusal.status === 500 && refusal.code === 'internal') warn(`The sandbox failed: ${String(error)}`)
    if (response.headersSent) {
      response.destroy()
      return
    }
    response.status(refusal.status).set(refusal.headers).json(errorBody(refusal))
  }

/** Maps an error to a refusal; hides the message of an unexpected one. A URIError means broken percent-encoding in the path. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof URIError) return bad('bad-request', 'The path is not valid.')
  return new Refusal(500, 'internal', 'The sandbox failed to do this.')
}

/** Bytes of a request's head: enough for all the custom headers that a subscription may have. */
const HEAD_BYTES = 1_048_576
/** Longer than clients keep idle connections, so that we never close one while a request is arriving. */
const KEEP_ALIVE_MS = 65_000

/** @param port 0 takes a free one @throws the system's error when the address cannot be used */
async function listen(app: Express, host: string, port: number): Promise<{ server: Server; url: string }> {
  const server = createServer(
    { maxHeaderSize: HEAD_BYTES, keepAliveTimeout: KEEP_ALIVE_MS, noDelay: true },
    app,
  )
  server.maxHeadersCount = 0
  server.listen(port, host)
  await once(server, 'listening')
  const { port: taken } = server.address() as AddressInfo
  return { server, url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}` }
}

async function stopListening(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearTimeout(timer)
}

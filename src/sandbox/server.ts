import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express'
import { ROUTES } from '#catalog/service.ts'
import type { AdminContext } from './admin/answers.ts'
import { adminRouter } from './admin/router.ts'
import { bad, notFound, Refusal } from './domain/refusal.ts'
import {
  accountingSync,
  type PluginContext,
  pluginEvents,
  type SyncContext,
  treasurySync,
} from './routes/sync-routes.ts'

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
export function createApp({ adminToken, admin, sync, plugins, warn }: AppContext): Express {
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
export async function listen(
  app: Express,
  host: string,
  port: number,
): Promise<{ server: Server; url: string }> {
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

export async function stopListening(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearTimeout(timer)
}

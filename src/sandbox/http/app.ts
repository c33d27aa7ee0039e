import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express'
import { ROUTES } from '#catalog/service.ts'
import type { AdminContext } from '../admin/route.ts'
import { adminRouter } from '../admin/router.ts'
import { type PluginContext, pluginEvents } from '../routes/plugin-events.ts'
import { accountingSync, type SyncContext, treasurySync } from '../routes/sync-routes.ts'
import { errorBody, notFound, Refusal, refusalOf } from './refusal.ts'

export interface AppContext {
  readonly adminToken: string
  readonly admin: AdminContext
  readonly sync: SyncContext
  readonly plugins: PluginContext
  /** Hears of errors that nobody foresaw. */
  warn(message: string): void
}

/** The service's Express app: its three public routes, and the sandbox's own admin API beside them. */
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
  if (method === 'GET') app.get(path, handler)
  else app.post(path, handler)
  app.all(path, () => {
    throw new Refusal(405, 'method-not-allowed', `This route takes ${method} only.`, { Allow: method })
  })
}

const refuse =
  (warn: AppContext['warn']): ErrorRequestHandler =>
  (error, _request, response, _next) => {
    const refusal = refusalOf(clientFault(error) ?? error)
    if (refusal.status === 500 && refusal.code === 'internal') warn(`The sandbox failed: ${String(error)}`)
    if (response.headersSent) {
      response.destroy()
      return
    }
    response.status(refusal.status).set(refusal.headers).json(errorBody(refusal))
  }

/** Express's own complaints, such as a path with a broken percent-encoding. */
function clientFault(error: unknown): Refusal | undefined {
  const status = error instanceof Error && 'status' in error ? error.status : undefined
  return typeof status === 'number' &&
    status >= 400 &&
    status < 500 &&
    !(error instanceof Refusal) &&
    error instanceof URIError
    ? new Refusal(status, 'bad-request', 'The path is not valid.')
    : undefined
}

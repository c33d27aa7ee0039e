import { type Request, type Response, Router } from 'express'
import { parseJson, readBody } from '../http/body.ts'
import { guardAdmin } from '../http/guard.ts'
import { notFound, Refusal } from '../http/refusal.ts'
import { actionRoutes } from './action-routes.ts'
import { bodyRoutes } from './body-routes.ts'
import { credentialRoutes } from './credential-routes.ts'
import { logRoutes } from './log-routes.ts'
import { queryOf } from './reading.ts'
import type { AdminContext, AdminReply, AdminRoute } from './route.ts'
import { subscriptionRoutes } from './subscription-routes.ts'
import { workspaceRoutes } from './workspace-routes.ts'

/** The admin API, to be mounted under `/_sandbox`. */
export function adminRouter(context: AdminContext, adminToken: string): Router {
  const router = Router({ caseSensitive: true, strict: true })
  const routes = [
    ...workspaceRoutes(context),
    ...subscriptionRoutes(context),
    ...actionRoutes(context),
    ...bodyRoutes(context),
    ...logRoutes(context),
    ...credentialRoutes(context),
  ]
  router.use((request, _response, next) => {
    guardAdmin(request, adminToken)
    next()
  })
  router.get('/', (_request, response) => {
    response.json({
      routes: routes.map(({ method, path, summary }) => ({ method: method.toUpperCase(), path, summary })),
    })
  })
  for (const route of routes)
    router[route.method](route.path, async (request, response) => {
      await answer(response, await route.handle(await callOf(route, request)))
    })
  for (const [path, methods] of Map.groupBy(routes, ({ path }) => path))
    router.all(path, () => {
      const allowed = methods.map(({ method }) => method.toUpperCase()).join(', ')
      throw new Refusal(405, 'method-not-allowed', `Here only ${allowed} can be used.`, { Allow: allowed })
    })
  router.use(() => {
    throw notFound('There is no such call; GET /_sandbox/ lists them.')
  })
  return router
}

async function callOf(route: AdminRoute, request: Request) {
  const bytes = route.method === 'get' ? Buffer.alloc(0) : await readBody(request)
  return {
    params: request.params as Readonly<Record<string, string | undefined>>,
    query: queryOf(request.originalUrl),
    body: bytes.length === 0 ? undefined : parseJson(bytes),
  }
}

async function answer(response: Response, reply: AdminReply): Promise<void> {
  if ('content' in reply) {
    response.status(reply.status).json(reply.content)
    return
  }
  response.status(200).type('application/x-ndjson')
  for (const piece of reply.lines) {
    if (response.destroyed) return
    // Waiting for the reader keeps a long export from piling up in memory.
    if (!response.write(piece)) await new Promise((go) => response.once('drain', go).once('close', go))
  }
  response.end()
}

import type { IncomingMessage } from 'node:http'
import { type Request, type Response, Router } from 'express'
import { notFound, Refusal } from '../domain/refusal.ts'
import { parseJson, readBody } from '../http/body.ts'
import { bearer, sameToken } from '../records/credentials.ts'
import { actionRoutes, bodyRoutes } from './action-routes.ts'
import { credentialRoutes } from './credential-routes.ts'
import { logRoutes } from './log-routes.ts'
import { type AdminContext, type AdminReply, type AdminRoute, queryOf } from './route.ts'
import { subscriptionRoutes } from './subscription-routes.ts'
import { workspaceRoutes } from './workspace-routes.ts'

// The port is free on purpose: behind a tunnel the caller knows us under another one.
const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i

/**
 * Lets scripts and hosts of this machine use the admin API, and no web page, whatever name it gave to this address.
 * @throws Refusal 403 or 401
 */
function guardAdmin(request: IncomingMessage, adminToken: string): void {
  const hosts = request.headersDistinct.host ?? []
  if (hosts.length !== 1 || !LOOPBACK.test(hosts[0] ?? ''))
    throw new Refusal(403, 'not-loopback', 'The admin API answers under 127.0.0.1 and localhost only.')
  const site = request.headers['sec-fetch-site']
  if (request.headers.origin !== undefined || (site !== undefined && site !== 'none'))
    throw new Refusal(403, 'browser-refused', 'Web pages may not use the admin API.')
  const token = bearer(request.headers.authorization)
  if (token === undefined || !sameToken(token, adminToken))
    throw new Refusal(401, 'unknown-token', 'Send the admin token as Authorization: Bearer.', {
      headers: { 'WWW-Authenticate': 'Bearer' },
    })
}

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
      throw new Refusal(405, 'method-not-allowed', `Here only ${allowed} can be used.`, {
        headers: { Allow: allowed },
      })
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

import type { IncomingMessage } from 'node:http'
import { type Request, type Response, Router } from 'express'
import { z } from 'zod'
import { notFound, Refusal } from '../domain/refusal.ts'
import { parseJson, readBody } from '../http/body.ts'
import type { ExecutionLog } from '../log/log.ts'
import type { LogQuery } from '../log/query.ts'
import { ENTRY_TYPES, OUTCOMES } from '../log/query.ts'
import { bearer, sameToken } from '../records/credentials.ts'
import { actionRoutes, bodyRoutes } from './action-routes.ts'
import { credentialRoutes } from './credential-routes.ts'
import {
  type AdminContext,
  type AdminReply,
  type AdminRoute,
  idFrom,
  ok,
  queryOf,
  route,
  understood,
} from './route.ts'
import { subscriptionRoutes } from './subscription-routes.ts'
import { workspaceRoutes } from './workspace-routes.ts'

const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= least && value <= most, `must be from ${least} to ${most}`)
const yesOrNo = z.enum(['true', 'false']).transform((value) => value === 'true')
const text = z.string().max(1_000)

const filters = z.strictObject({
  type: z.enum(ENTRY_TYPES).optional(),
  outcome: z.enum(OUTCOMES).optional(),
  lost: yesOrNo.optional(),
  superseded: yesOrNo.optional(),
  kind: text.optional(),
  subject: text.optional(),
  subscription: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional(),
  run: text.optional(),
  q: text.min(1).optional(),
})
const paged = filters.extend({
  order: z.enum(['oldest', 'newest']).default('oldest'),
  after: wholeNumber(0, Number.MAX_SAFE_INTEGER).optional(),
  limit: wholeNumber(1, 1_000).default(100),
  /** Without requests and answers. */
  brief: yesOrNo.default(false),
})

/** The execution log: paged, searchable, exportable. */
export function logRoutes({ log, dispatcher }: AdminContext): readonly AdminRoute[] {
  return [
    route(
      'get',
      '/log',
      'Read the execution log. Filters: type (event, test, plugin), outcome, lost, superseded, kind, subject, subscription, run, q. Paging: order (oldest, newest), after (the next of the page before), limit (100, at most 1000), brief.',
      ({ query }) => {
        const { brief, ...wanted } = understood(paged, query)
        // Read before the page: what ends in between is then either still pending here or already on the page.
        const pending = wanted.run === undefined ? dispatcher.pending : dispatcher.pendingOf(wanted.run)
        const entries = brief ? log.brief(wanted) : log.full(wanted)
        const next = entries.length === wanted.limit ? (entries.at(-1)?.id ?? null) : null
        return ok({ entries, next, total: log.count(wanted), pending })
      },
    ),
    route('get', '/log/:id', 'Read one entry with its request and answer.', ({ params }) => {
      const entry = log.get(idFrom(params.id))
      if (!entry) throw notFound('There is no such entry in the log.')
      return ok(entry)
    }),
    route(
      'get',
      '/log.ndjson',
      'Export the log, whole or by the same filters: one entry a line, oldest first.',
      ({ query }) => ({ status: 200, lines: exported(log, understood(filters, query)) }),
    ),
  ]
}

const PER_PIECE = 200

function* exported(log: ExecutionLog, filter: Omit<LogQuery, 'order' | 'limit'>): Generator<string> {
  let after = 0
  for (;;) {
    const entries = log.full({ ...filter, order: 'oldest', after, limit: PER_PIECE })
    if (entries.length === 0) return
    yield entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
    after = entries.at(-1)?.id ?? after
  }
}

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
  for (const one of routes)
    router[one.method](one.path, async (request, response) => {
      await answer(response, await one.handle(await callOf(one, request)))
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

async function callOf({ method }: AdminRoute, request: Request) {
  const bytes = method === 'get' ? Buffer.alloc(0) : await readBody(request)
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

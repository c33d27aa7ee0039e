import type { IncomingMessage } from 'node:http'
import { type Request, type Response, Router } from 'express'
import { z } from 'zod'
import { firstWrong, paramWords } from '#contract/param-words.ts'
import { logQuery, type SandboxLogQuery } from '#contract/sandbox.ts'
import { SANDBOX_CALL_NAMES, SANDBOX_CALLS, type SandboxCallName } from '#contract/sandbox-commands.ts'
import { readExactly } from '../domain/json.ts'
import { bad, notFound, Refusal } from '../domain/refusal.ts'
import { isObject, parseJson, readBody } from '../http/body.ts'
import { bearer, sameToken } from '../records/credentials.ts'
import { type AdminContext, type Answered, type Answers, answersOf } from './answers.ts'

interface Route {
  readonly method: string
  readonly path: string
  readonly summary: string
  handle(request: Request, response: Response): Promise<void>
}

// Accepts any port, since a tunnel may use another one than ours.
const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i

/** Keeps web pages out of the admin API, DNS rebinding included. @throws Refusal 403 or 401 */
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

/** Mounted under `/_sandbox`. */
export function adminRouter(context: AdminContext, adminToken: string): Router {
  const router = Router({ caseSensitive: true, strict: true })
  const answers = answersOf(context)
  const routes = [
    ...SANDBOX_CALL_NAMES.filter(isAnswered).flatMap((name) => routesOf(name, answers)),
    ...logRoutes(context),
  ]
  router.use((request, _response, next) => {
    guardAdmin(request, adminToken)
    next()
  })
  router.get('/', (_request, response) => {
    response.json({ routes: routes.map(({ method, path, summary }) => ({ method, path, summary })) })
  })
  for (const [path, calls] of Map.groupBy(routes, ({ path }) => path))
    router.all(path, async (request, response) => {
      const asked = request.method === 'HEAD' ? 'GET' : request.method
      const call = calls.find(({ method }) => method === asked)
      if (call) return call.handle(request, response)
      const allowed = calls.map(({ method }) => method).join(', ')
      throw new Refusal(405, 'method-not-allowed', `Here only ${allowed} can be used.`, {
        headers: { Allow: allowed },
      })
    })
  router.use(() => {
    throw notFound('Unknown call; GET /_sandbox/ lists all calls.')
  })
  return router
}

const isAnswered = (name: SandboxCallName): name is Answered =>
  name !== 'sandbox.log' && name !== 'sandbox.log-entries'

const MAKES: ReadonlySet<string> = new Set(['POST /subscriptions', 'POST /keys', 'POST /plugins'])

function routesOf<C extends Answered>(name: C, answers: Answers): Route[] {
  const { about, params, routes } = SANDBOX_CALLS[name]
  return routes.map((route) => {
    const [method = '', path = ''] = route.split(' ')
    return {
      method,
      path,
      summary: about,
      async handle(request, response) {
        const given = method === 'GET' ? queryOf(request) : await bodyOf(request, params.shape)
        const asked = understood(params, withParts(given, request.params, params.shape))
        response.status(MAKES.has(route) ? 201 : 200).json(await answers[name](asked))
      },
    }
  })
}

/** @throws Refusal 400 that names the wrong member */
function understood<T>(schema: z.ZodType<T>, given: unknown): T {
  const result = schema.safeParse(given, { error: paramWords })
  if (result.success) return result.data
  const { path, message } = firstWrong(result.error)
  const field = path.join('.')
  throw bad('bad-input', `${field || 'the body'}: ${message}`.slice(0, 1_000), field || undefined)
}

type Texts = Readonly<Record<string, string | readonly string[] | undefined>>

function queryOf({ originalUrl: url }: Request): Texts {
  const query: Record<string, string> = Object.create(null)
  for (const [name, value] of new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '')) {
    if (name in query) throw bad('bad-input', `${name} is given more than once.`)
    query[name] = value
  }
  return query
}

/** Reads the body as parameters; an empty body means none. Of an event's content the numbers keep their digits. */
async function bodyOf(request: Request, shape: Shape): Promise<unknown> {
  const bytes = await readBody(request)
  const content = bytes.length === 0 ? {} : parseJson(bytes)
  if ('params' in shape) return { params: content }
  if (!('set' in shape) || !isObject(content)) return content
  const exact = Object.entries(readExactly(bytes.toString())).filter(([name]) => EXACT.has(name))
  return { ...content, ...Object.fromEntries(exact) }
}

const EXACT: ReadonlySet<string> = new Set(['set', 'data'])

type Shape = Readonly<Record<string, z.core.$ZodType>>

function withParts(given: unknown, parts: Texts, shape: Shape): unknown {
  if (!isObject(given)) return given
  const twice = Object.keys(parts).find((name) => Object.hasOwn(given, name))
  if (twice !== undefined) throw bad('bad-input', `${twice}: is in the path; leave it out.`, twice)
  return { ...given, ...typed(parts, shape) }
}

const typed = (texts: Texts, shape: Shape) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, read(text, shape[name])]))

function read(text: Texts[string], schema: z.core.$ZodType | undefined): unknown {
  const bare = schema instanceof z.ZodExactOptional ? schema.unwrap() : schema
  if (bare instanceof z.ZodNumber && /^\d{1,15}$/.test(String(text))) return Number(text)
  return bare instanceof z.ZodBoolean && /^(?:true|false)$/.test(String(text)) ? text === 'true' : text
}

const PER_PIECE = 200
const paged = logQuery.extend({
  brief: z.boolean().exactOptional(),
})
const filters = logQuery.omit({ order: true, after: true, limit: true })

function logRoutes({ log, dispatcher }: AdminContext): Route[] {
  const page = ({ brief = false, order = 'oldest', limit = 100, ...filter }: z.output<typeof paged>) => {
    const wanted = { ...filter, order, limit }
    // Before the page: an attempt that ends between the two is then pending here or on the page, never neither.
    const pending = wanted.run === undefined ? dispatcher.pending : dispatcher.pendingOf(wanted.run)
    const entries = brief ? log.brief(wanted) : log.full(wanted)
    const next = entries.length === limit ? (entries.at(-1)?.id ?? null) : null
    return { entries, next, total: log.count(wanted), pending }
  }
  function* exported(filter: SandboxLogQuery): Generator<string> {
    let after = 0
    for (;;) {
      const entries = log.full({ ...filter, order: 'oldest', after, limit: PER_PIECE })
      if (entries.length === 0) return
      yield entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
      after = entries.at(-1)?.id ?? after
    }
  }
  return [
    {
      method: 'GET',
      path: '/log',
      summary:
        'Read the execution log. Filters: type (event, test, plugin), outcome, lost, superseded, kind, subject, subscription, run, q. Paging: order (oldest, newest), after (the next of the page before), limit (100, at most 1000), brief.',
      handle: async (request, response) => {
        response.json(page(understood(paged, typed(queryOf(request), paged.shape))))
      },
    },
    {
      method: 'GET',
      path: '/log.ndjson',
      summary: 'Export the log, whole or by the same filters: one entry a line, oldest first.',
      handle: async (request, response) => {
        const filter = understood(filters, typed(queryOf(request), filters.shape))
        response.type('application/x-ndjson')
        for (const piece of exported(filter)) {
          if (response.destroyed) return
          // Wait for the client, so that a long export does not fill memory.
          if (!response.write(piece)) await new Promise((go) => response.once('drain', go).once('close', go))
        }
        response.end()
      },
    },
  ]
}

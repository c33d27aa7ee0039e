import type { IncomingMessage } from 'node:http'
import express, { type ErrorRequestHandler, type Request, type Response, Router } from 'express'
import { messageOf, type Refusal, toRefusal } from '#contract/errors.ts'
import type { Engine } from '#core/engine/engine.ts'
import { refuse, sendRefusal } from './answers.ts'
import type { StaticFile } from './files.ts'
import { values } from './guard.ts'
import { answerProbe, PROBE_PATHS } from './probes.ts'
import type { Sessions } from './sessions.ts'

/** Bytes of a request's body, far more than any command's parameters need. */
const BODY_LIMIT = 4 * 1_048_576
const NO_SESSION = 'This window needs a fresh link: run "acuse link" in a terminal and open what it prints.'
/** Other names of 127.0.0.1, the only local name that serves the page (see Sessions). */
const ALIAS = /^(?:localhost|\[::1\])(:\d+)?$/i
const LOCAL = /^127\.0\.0\.1(?::|$)/

/**
 * All routes except the WebSocket's. Routes above the session check are open: the page's own files and the probes, which contain no data,
 * and `POST /api/session`, which trades the token of a start link for the session's key. Below the check is `POST /api/<command>`:
 * it takes parameters as a JSON body and answers the result, or a Refusal with its status.
 */
export function routes(
  engine: Pick<Engine, 'call' | 'dispatch'>,
  sessions: Sessions,
  files: ReadonlyMap<string, StaticFile>,
): Router {
  const router = Router({ caseSensitive: true, strict: true })
  for (const [path, file] of files)
    router.get(path, (request: Request, response: Response) => sendFile(file, request, response))
  for (const path of PROBE_PATHS)
    router.get(path, (request: Request, response: Response) => {
      const { host = '' } = request.headers
      // Figures are for programs of this machine, which need no key; under a public name every client could read them.
      if (LOCAL.test(host) || ALIAS.test(host)) void answerProbe(engine, path, request, response)
      else refuse(response, 403, 'Only programs of this machine may ask here, under 127.0.0.1.')
    })
  router.post('/api/session', (request: Request, response: Response) => {
    const key = sessions.redeem(keyOf(request))
    if (key === undefined) sendRefusal(response, STRANGER, 401)
    else response.json({ key })
  })
  router.use((request, response, next) => {
    if (sessions.knows(keyOf(request))) next()
    else sendRefusal(response, STRANGER, 401)
  })
  router.post('/api/:command', demandJson, json, async (request: Request, response: Response) => {
    const command = String(request.params.command)
    try {
      const result = await engine.dispatch(command, request.body)
      response.setHeader('Content-Type', 'application/json; charset=utf-8')
      response.end(JSON.stringify(result))
    } catch (error) {
      sendRefusal(response, toRefusal(error, command))
    }
  })
  router.use('/api', unreadable)
  router.use((_request, response) => refuse(response, 404, 'There is nothing here.'))
  return router
}

/** @returns the key; empty without exactly one header, since our clients never send two */
function keyOf(request: IncomingMessage): string {
  const keys = values(request.rawHeaders, 'x-acuse')
  return keys.length === 1 ? (keys[0] ?? '') : ''
}

function sendFile(file: StaticFile, request: Request, response: Response): void {
  const alias = ALIAS.exec(request.headers.host ?? '')
  if (alias) {
    // Browsers keep the fragment on a redirect.
    response.writeHead(303, { Location: `http://127.0.0.1${alias[1] ?? ''}${request.url}` })
    response.end()
    return
  }
  response.setHeader('Cache-Control', file.cacheControl)
  response.setHeader('Content-Type', file.type)
  response.setHeader('Content-Length', file.bytes.length)
  response.end(request.method === 'HEAD' ? undefined : file.bytes)
}

const json = express.json({ limit: BODY_LIMIT, inflate: false, strict: false, type: () => true })

function demandJson(request: Request, response: Response, next: () => void): void {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type === 'application/json') next()
  else sendRefusal(response, bad('Send the parameters as application/json.'), 415)
}

/** Answers errors of the JSON parser: too long, compressed, or not JSON. */
const unreadable: ErrorRequestHandler = (error, _request, response, _next) => {
  const status = typeof error?.status === 'number' ? error.status : 400
  const reason = messageOf(error)
  sendRefusal(response, bad(`The parameters cannot be read: ${reason}`), status)
}

const bad = (message: string): Refusal => ({ code: 'bad-params', message })
const STRANGER: Refusal = { code: 'forbidden', message: NO_SESSION }

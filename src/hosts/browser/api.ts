import express, { type ErrorRequestHandler, type Request, type Response, Router } from 'express'
import { type Refusal, toRefusal } from '#contract/errors.ts'
import type { Engine } from '#core/engine.ts'
import { sendRefusal } from './answers.ts'

/** Far beyond any command's parameters. */
const BODY_LIMIT = 4 * 1_048_576

/** `POST /api/<command>`: parameters as a JSON body; answers the result, or a Refusal with a fitting status. */
export function api(engine: Engine): Router {
  const router = Router({ caseSensitive: true, strict: true })
  router.post('/api/:command', demandOwnClient, json, async (request: Request, response: Response) => {
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
  return router
}

const json = express.json({ limit: BODY_LIMIT, inflate: false, strict: false, type: () => true })

/** Neither a form nor another site's script can send these two without asking first, and asking is refused. */
function demandOwnClient(request: Request, response: Response, next: () => void): void {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') sendRefusal(response, bad('Send the parameters as application/json.'), 415)
  else if (request.headers['x-acuse'] !== '1')
    sendRefusal(response, { code: 'forbidden', message: 'The header "X-Acuse: 1" is missing.' })
  else next()
}

/** What the JSON reader throws: too long, compressed, or not JSON. */
const unreadable: ErrorRequestHandler = (error, _request, response, _next) => {
  const status = typeof error?.status === 'number' ? error.status : 400
  const reason = error instanceof Error ? error.message : String(error)
  sendRefusal(response, bad(`The parameters cannot be read: ${reason}`), status)
}

const bad = (message: string): Refusal => ({ code: 'bad-params', message })

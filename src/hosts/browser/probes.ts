import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, isIP } from 'node:net'
import { messageOf } from '#contract/errors.ts'
import type { Engine } from '#core/engine/engine.ts'
import { EXPOSITION_TYPE } from '#core/watch/meter.ts'
import { refuse, secure } from './answers.ts'
import { guard, hasToken, values } from './guard.ts'

type Call = Pick<Engine, 'call'>
interface Answer {
  readonly status: number
  readonly type: string
  readonly body: string
}

const JSON_TYPE = 'application/json; charset=utf-8'

/**
 * What other programs may ask without a key, by exact path: is the process alive, can it take deliveries, and how is it. They change
 * nothing and return no data of deliveries.
 */
const PROBES = new Map<string, (engine: Call) => Promise<Answer>>([
  ['/livez', async () => ({ status: 200, type: 'text/plain; charset=utf-8', body: 'ok\n' })],
  [
    '/readyz',
    async (engine) => {
      const { ready, reason, message } = await engine.call('status.ready', {})
      return {
        status: ready ? 200 : 503,
        type: JSON_TYPE,
        body: `${JSON.stringify(ready ? { ready } : { ready, reason, message })}\n`,
      }
    },
  ],
  [
    '/metrics',
    async (engine) => {
      const { text } = await engine.call('metrics.get', {})
      return { status: 200, type: EXPOSITION_TYPE, body: text }
    },
  ],
])
export const PROBE_PATHS: readonly string[] = [...PROBES.keys()]

/** Answers one of PROBE_PATHS; 503 when the engine fails. */
export async function answerProbe(
  engine: Call,
  path: string,
  { method }: Pick<IncomingMessage, 'method'>,
  response: ServerResponse,
): Promise<void> {
  const answer = await PROBES.get(path)?.(engine).catch(
    (error: unknown): Answer => ({
      status: 503,
      type: JSON_TYPE,
      body: `${JSON.stringify({ ready: false, reason: 'failed', message: messageOf(error) })}\n`,
    }),
  )
  if (!answer) return refuse(response, 404, 'There is nothing here.')
  response.writeHead(answer.status, {
    'Content-Type': answer.type,
    'Content-Length': Buffer.byteLength(answer.body),
    'Cache-Control': 'no-store',
  })
  response.end(method === 'HEAD' ? undefined : answer.body)
}

export interface ProbeServer {
  readonly url: string
  close(): Promise<void>
}

/**
 * Serves the probes alone, for a host without a window or for a scraper on another machine. On loopback the guard of the window decides;
 * elsewhere any Host may ask, but no page of a browser.
 * @param token for /metrics; undefined: none needed @throws the system's error when the port is taken
 */
export async function serveProbes(
  engine: Call,
  host: string,
  port: number,
  token?: string,
): Promise<ProbeServer> {
  const server = createServer((request, response) => {
    const reason = refusal(host, request)
    secure(response)
    if (reason !== null) refuse(response, 403, reason)
    else if (token && request.url === '/metrics' && !hasToken(request, token))
      refuse(response, 401, 'Send the token: Authorization: Bearer TOKEN.')
    else if (request.method !== 'GET' && request.method !== 'HEAD')
      refuse(response, 405, 'Only GET and HEAD mean anything here.')
    else void answerProbe(engine, request.url ?? '', request, response)
  })
  server.headersTimeout = 10_000
  await once(server.listen({ host, port }), 'listening')
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `http://${isIP(host) === 6 ? `[${host}]` : host}:${taken}/`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost'])

function refusal(host: string, request: IncomingMessage): string | null {
  if (LOOPBACK.has(host)) {
    const checked = guard(request)
    return checked.ok ? null : checked.reason
  }
  const page = ['origin', 'sec-fetch-site'].some((name) => values(request.rawHeaders, name).length > 0)
  return page ? 'Pages of a browser may not ask here.' : null
}

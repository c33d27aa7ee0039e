import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMcpHandler, type McpServerFactory } from '@modelcontextprotocol/server'
import { guard, hasToken } from '../../browser/guard.ts'
import { readBounded } from '../shared/terminal.ts'

export interface HttpHost {
  readonly url: string
  close(): Promise<void>
}

const PATH = '/mcp'

/**
 * Serves MCP on loopback. As for the window, one guard checks Host, Origin and Sec-Fetch-Site before routing; and each request needs the
 * token, since every program of this machine can reach the port.
 */
export async function serveHttp(factory: McpServerFactory, port: number, token: string): Promise<HttpHost> {
  const handler = createMcpHandler(factory)
  const server = createServer((request, response) => {
    const checked = guard(request)
    if (!checked.ok) return refuse(response, 403, checked.reason)
    if (request.url !== PATH) return refuse(response, 404, `MCP is at ${PATH}.`)
    if (!hasToken(request, token))
      return refuse(response, 401, 'Send the token: Authorization: Bearer TOKEN.')
    answer(request, response, handler.fetch, checked.origin).catch(() => response.destroy())
  })
  server.headersTimeout = 10_000
  await once(server.listen({ port, host: '127.0.0.1' }), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`,
    async close() {
      await handler.close()
      await closed(server)
    },
  }
}

/** More than any tool takes. */
const MOST_BODY = 4_194_304

type Fetch = (request: Request) => Promise<Response>

async function answer(request: IncomingMessage, response: ServerResponse, fetch: Fetch, origin: string) {
  const headers = new Headers()
  for (let i = 0; i + 1 < request.rawHeaders.length; i += 2)
    headers.append(request.rawHeaders[i] ?? '', request.rawHeaders[i + 1] ?? '')
  const body = await readBounded(request, MOST_BODY).catch(() => null)
  if (body === null) return refuse(response, 413, `A message has at most ${MOST_BODY} bytes.`)
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  const { method = 'GET' } = request
  const asked = {
    method,
    headers,
    signal: gone.signal,
    ...(body.length > 0 && method !== 'GET' && { body: new Uint8Array(body) }),
  }
  const answered = await fetch(new Request(`${origin}${PATH}`, asked))
  response.writeHead(answered.status, {
    ...Object.fromEntries(answered.headers),
    'Cache-Control': 'no-store',
  })
  for await (const part of answered.body ?? []) response.write(part)
  response.end()
}

function refuse(response: ServerResponse, status: number, sentence: string): void {
  const challenge = status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    Connection: 'close',
    ...challenge,
  })
  response.end(`${sentence}\n`)
}

async function closed(server: Server): Promise<void> {
  const end = new Promise((resolve) => server.close(resolve))
  server.closeAllConnections()
  await end
}

import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import express from 'express'
import { refused } from '#contract/errors.ts'
import type { Engine } from '#core/engine/engine.ts'
import { systemCode } from '#core/file-trouble.ts'
import type { Remote } from '../remote.ts'
import { refuse, secure } from './answers.ts'
import { staticFiles } from './files.ts'
import { guard } from './guard.ts'
import { pushSocket, reject } from './push-socket.ts'
import { routes } from './routes.ts'
import { Sessions } from './sessions.ts'

export interface BrowserHostOptions {
  readonly engine: Engine | Remote
  readonly rendererDir: string
  /** 0 takes any free port; when the port is taken, the next free one is used. */
  readonly port: number
  /** HTTPS origins under which a proxy on this machine offers the window; the first one is that of the links. */
  readonly publicOrigins?: readonly string[]
}
export interface BrowserHost {
  /** @returns the window's address, whose port may differ from the wanted one @throws AcuseError `not-available` when it was not built */
  start(): Promise<{ readonly url: string; readonly port: number }>
  /** Makes a link that opens the window once, within ten minutes. */
  link(): string
  /** Stops accepting, waits shortly for requests in flight, then closes their connections. */
  close(): Promise<void>
}

/** Without OPTIONS, which Express would answer by itself: no other origin may call this host. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST'])
const CLOSE_GRACE_MS = 1_000

/** Serves the window, commands and pushes to browsers on this machine. One guard checks all requests before routing, the WebSocket's too. */
export function createBrowserHost({
  engine,
  rendererDir,
  port: wanted,
  publicOrigins = [],
}: BrowserHostOptions): BrowserHost {
  const sessions = new Sessions()
  const pushes = pushSocket(engine, sessions)
  const app = express()
  app.disable('x-powered-by')
  let port: number | undefined

  const server = createServer((request, response) => {
    const checked = guard(request, publicOrigins)
    secure(response, checked.ok ? checked.origin : undefined)
    if (!checked.ok) refuse(response, 403, checked.reason)
    else if (METHODS.has(request.method ?? '')) app(request, response)
    else refuse(response, 405, 'Only GET, HEAD and POST mean anything here.')
  })
  server.headersTimeout = 10_000
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Without a listener, a client that disconnects now would end the process.
    socket.on('error', () => socket.destroy())
    if (guard(request, publicOrigins).ok) pushes.accept(request, socket, head)
    else reject(socket, '403 Forbidden')
  })

  return {
    async start() {
      app.use(routes(engine, sessions, staticFiles(rendererDir)))
      port = await listenOnLoopback(server, wanted)
      return { url: `http://127.0.0.1:${port}/`, port }
    },
    link() {
      if (port === undefined) throw refused('not-available', 'window-not-served')
      return `${publicOrigins[0] ?? `http://127.0.0.1:${port}`}/#token=${sessions.newToken()}`
    },
    async close() {
      pushes.close()
      if (!server.listening) return
      const closed = new Promise((resolve) => server.close(resolve))
      const cut = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS)
      await closed
      clearTimeout(cut)
    },
  }
}

/** Number of ports tried from the wanted one upwards before the system chooses one. */
const TRIES = 20

/** Listens on 127.0.0.1 only: the window is for users of this machine. Skips a port that is taken or forbidden. */
async function listenOnLoopback(server: Server, port: number): Promise<number> {
  const candidates = Array.from({ length: TRIES }, (_, i) => port + i).filter((p) => p <= 65_535)
  for (const candidate of port === 0 ? [0] : [...candidates, 0]) {
    try {
      await once(server.listen({ port: candidate, host: '127.0.0.1' }), 'listening')
      return (server.address() as AddressInfo).port
    } catch (error) {
      if (candidate === 0 || !['EADDRINUSE', 'EACCES'].includes(systemCode(error))) throw error
    }
  }
  throw new Error('No port was free.')
}

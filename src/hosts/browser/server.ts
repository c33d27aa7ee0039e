import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import express, { type Request, type Response } from 'express'
import { AcuseError } from '#contract/errors.ts'
import type { Engine } from '#core/engine.ts'
import { refuse, secure, sendRefusal } from './answers.ts'
import { api } from './api.ts'
import { type StaticFile, staticFiles } from './files.ts'
import { guard, values } from './guard.ts'
import { listenOnLoopback } from './listen.ts'
import { pushSocket } from './push-socket.ts'
import { Sessions } from './sessions.ts'

export interface BrowserHostOptions {
  readonly engine: Engine
  /** The built window (out/renderer). */
  readonly rendererDir: string
  /** 0 takes any free port; a taken one is passed over for the next free one. */
  readonly port: number
}
export interface BrowserHost {
  /**
   * @returns the address of the window and its port, which is another than the wanted one when that was taken
   * @throws AcuseError `not-available` when the window was not built
   */
  start(): Promise<{ readonly url: string; readonly port: number }>
  /** A fresh link that opens the window once, within ten minutes. */
  link(): string
  /** Stops accepting, gives what is in flight a moment, then cuts it. */
  close(): Promise<void>
}

const NO_SESSION = 'This window needs a fresh link: run "acuse link" in a terminal and open what it prints.'
/** The session itself ends with the process; the cookie only has to outlive a restart of the browser. */
const COOKIE_SECONDS = 30 * 86_400
/** Express would answer OPTIONS by itself, and a preflight has nothing to ask here. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST'])
const CLOSE_GRACE_MS = 1_000

/**
 * Serves the window, the commands and the pushes to browsers on this machine. One guard and one session check stand before any
 * routing, for every method, path and the WebSocket.
 */
export function createBrowserHost({ engine, rendererDir, port: wanted }: BrowserHostOptions): BrowserHost {
  const sessions = new Sessions()
  const pushes = pushSocket(engine)
  let files: ReadonlyMap<string, StaticFile> = new Map()
  let port: number | undefined

  const app = express()
  app.disable('x-powered-by')
  app.use(api(engine))
  app.use((request: Request, response: Response) => sendFile(files, request, response))

  const server = createServer((request, response) => {
    const checked = guard(request)
    secure(response, checked.ok ? checked.host : undefined)
    if (!checked.ok) refuse(response, 403, checked.reason)
    else if (!redeemed(request, response)) {
      if (!hasSession(request)) refuseStranger(request, response)
      else if (METHODS.has(request.method ?? '')) app(request, response)
      else refuse(response, 405, 'Only GET, HEAD and POST mean anything here.')
    }
  })
  server.headersTimeout = 10_000
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Without a listener a client that vanishes now would end the process.
    socket.on('error', () => socket.destroy())
    if (!guard(request).ok) reject(socket, '403 Forbidden')
    else if (!hasSession(request)) reject(socket, '401 Unauthorized')
    else if (request.url !== '/api/pushes') reject(socket, '404 Not Found')
    else pushes.accept(request, socket, head)
  })

  /** Takes the token out of the address bar and into a cookie. @returns whether the request has been answered */
  function redeemed(request: IncomingMessage, response: ServerResponse): boolean {
    const token = request.method === 'GET' ? /^\/\?token=([\w-]*)$/.exec(request.url ?? '')?.[1] : undefined
    if (token === undefined) return false
    const session = sessions.redeem(token)
    if (session === undefined && !hasSession(request)) return false
    if (session !== undefined)
      response.setHeader(
        'Set-Cookie',
        `${cookieName()}=${session}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${COOKIE_SECONDS}`,
      )
    response.writeHead(303, { Location: '/' })
    response.end()
    return true
  }

  /** Cookies ignore ports, so another local site may have set one of ours: any of them that fits will do. */
  function hasSession(request: IncomingMessage): boolean {
    const name = cookieName()
    return values(request.rawHeaders, 'cookie')
      .flatMap((cookies) => cookies.split(';'))
      .map((cookie) => cookie.trim())
      .some((cookie) => cookie.startsWith(`${name}=`) && sessions.knows(cookie.slice(name.length + 1)))
  }

  const cookieName = () => `acuse_${port}`

  return {
    async start() {
      files = staticFiles(rendererDir)
      port = await listenOnLoopback(server, wanted)
      return { url: `http://127.0.0.1:${port}/`, port }
    },
    link() {
      if (port === undefined) throw new AcuseError('not-available', 'The browser window is not being served.')
      return `http://127.0.0.1:${port}/?token=${sessions.newToken()}`
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

/** Browsers that navigate get a page to read; our own client gets a refusal to understand. */
function refuseStranger(request: IncomingMessage, response: ServerResponse): void {
  if (!request.headers.accept?.includes('text/html')) {
    sendRefusal(response, { code: 'forbidden', message: NO_SESSION }, 401)
    return
  }
  response.writeHead(401, { 'Content-Type': 'text/html; charset=utf-8' })
  response.end(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Acuse</title><p>${NO_SESSION.replaceAll('"', '&quot;')}</p></html>\n`,
  )
}

function sendFile(files: ReadonlyMap<string, StaticFile>, request: Request, response: Response): void {
  const file = files.get(request.url.split('?', 1)[0] ?? '')
  if (!file) refuse(response, 404, 'There is nothing here.')
  else if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD')
    refuse(response, 405, 'This can only be read.')
  } else {
    response.setHeader('Cache-Control', file.cacheControl)
    response.setHeader('Content-Type', file.type)
    response.setHeader('Content-Length', file.bytes.length)
    response.end(request.method === 'HEAD' ? undefined : file.bytes)
  }
}

function reject(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

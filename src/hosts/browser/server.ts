import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import express, { type ErrorRequestHandler, type Request, type Response, Router } from 'express'
import { type WebSocket, WebSocketServer } from 'ws'
import { AcuseError, messageOf, type Refusal, refused, toRefusal } from '#contract/errors.ts'
import type { Engine } from '#core/engine/engine.ts'
import { systemCode } from '#core/file-trouble.ts'
import { numberedPushes } from '../numbered-pushes.ts'
import type { Remote } from '../remote.ts'
import { readWindow, type WindowFile } from '../window-files.ts'
import { refuse, secure, sendRefusal } from './answers.ts'
import { guard, values } from './guard.ts'
import { answerProbe, PROBE_PATHS } from './probes.ts'
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

  // Node passes requests that ask for any other protocol to the handler, as HTTP says.
  const shouldUpgradeCallback = ({ headers }: IncomingMessage) =>
    headers.upgrade?.toLowerCase() === 'websocket'
  const server = createServer({ shouldUpgradeCallback }, (request, response) => {
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

interface StaticFile extends WindowFile {
  readonly cacheControl: string
}

/** The files that the browser host serves, by exact path. @throws AcuseError `not-available` when the window was not built */
export function staticFiles(folder: string): ReadonlyMap<string, StaticFile> {
  const files = new Map<string, StaticFile>()
  for (const [path, file] of readWindow(folder, '/index.html'))
    files.set(path, { ...file, cacheControl: caching(path) })
  const index = files.get('/index.html')
  if (!index)
    throw new AcuseError(
      'not-available',
      `The window is not built: there is no index.html in ${folder}. Run "npm run build".`,
    )
  return files.set('/', index)
}

/** The bundler puts a hash of the content into every name under assets/. */
function caching(path: string): string {
  if (path.endsWith('.html')) return 'no-store'
  return path.startsWith('/assets/') ? 'private, max-age=31536000, immutable' : 'private, no-cache'
}

/**
 * A broken tunnel closes nothing. A client that misses one ping is disconnected, so that no pushes pile up for it; a page cannot see pings,
 * so the host also sends an empty message, and the page reconnects without one.
 */
const PING_MS = 30_000

/** Path and WebSocket subprotocol of the pushes; the client offers the session's key as a second subprotocol. */
export const PUSHES = { path: '/api/pushes', protocol: 'acuse' } as const

/** Unread bytes from which on a client of a relay is disconnected. */
const RELAYED_LIMIT = 4 * 1_048_576

interface PushSocket {
  /** Upgrades a connection that the guard accepted, if it offers the key of a session. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void
  close(): void
}

function pushSocket(engine: Engine | Remote, sessions: Pick<Sessions, 'knows'>): PushSocket {
  // Clients send nothing here; a long message could only be an attack on memory.
  const server = new WebSocketServer({ noServer: true, maxPayload: 1_024, perMessageDeflate: false })
  return {
    accept(request, socket, head) {
      const [protocol, key, ...more] = values(request.rawHeaders, 'sec-websocket-protocol')
        .flatMap((list) => list.split(','))
        .map((name) => name.trim())
      if (protocol !== PUSHES.protocol || more.length > 0 || !sessions.knows(key ?? ''))
        reject(socket, '401 Unauthorized')
      else if (request.url !== PUSHES.path) reject(socket, '404 Not Found')
      // The server picks the first of the two subprotocols, so the answer does not repeat the key.
      else if ('openPushes' in engine) {
        const from = engine.openPushes()
        from.once('open', () => server.handleUpgrade(request, socket, head, (client) => relay(from, client)))
        from.once('close', () => socket.destroy())
        socket.once('close', () => from.terminate())
      } else server.handleUpgrade(request, socket, head, (client) => serve(engine, client))
    },
    close() {
      for (const client of server.clients) client.close(1001)
      server.close()
      const clients = [...server.clients]
      setTimeout(() => {
        for (const client of clients) client.terminate()
      }, 500).unref()
    },
  }
}

function serve(engine: Engine, client: WebSocket): void {
  const stop = numberedPushes(engine, {
    send: (text, handedOver) => client.send(text, handedOver),
    waiting: () => client.bufferedAmount,
  })
  let alive = true
  client.on('pong', () => {
    alive = true
  })
  const pings = setInterval(() => {
    if (!alive) return client.terminate()
    alive = false
    client.ping()
    client.send('')
  }, PING_MS)
  client.on('error', () => client.terminate())
  client.on('close', () => {
    clearInterval(pings)
    stop()
  })
}

/**
 * Passes on each message of another host, its numbers included, so that the page sees every loss between there and here. Its silence
 * too: pings of our own would hide it. The sockets end together.
 */
function relay(from: WebSocket, client: WebSocket): void {
  from.on('message', (data) => {
    // A page that cannot keep up reads a snapshot instead when it connects again.
    if (client.bufferedAmount > RELAYED_LIMIT) client.terminate()
    else client.send(String(data))
  })
  client.on('error', () => client.terminate())
}

function reject(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

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

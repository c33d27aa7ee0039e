import { once } from 'node:events'
import { chmodSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { AcuseError, messageOf, toRefusal } from '#contract/errors.ts'
import type { Engine } from '#core/engine/engine.ts'
import { numberedPushes } from '../numbered-pushes.ts'
import { ensurePrivate, localAddress } from './address.ts'
import { LineReader, REQUEST_LIMIT, type Reply, request, SUBSCRIBE } from './protocol.ts'

export interface LocalServer {
  readonly path: string
  /** Stops accepting, sends pending answers for up to CLOSE_GRACE_MS, then closes all connections. */
  close(): Promise<void>
}

/** Bytes of unread answers from which on the host stops reading a client's requests. */
const UNREAD_LIMIT = 16 * 1_048_576
const UNANSWERED_LIMIT = 64
const CLOSE_GRACE_MS = 1_000

/** Serves a host's commands to this user's other processes. @throws AcuseError `in-use`; `forbidden` when the socket cannot be private */
export async function serveLocal(options: { engine: Engine; dataDir: string }): Promise<LocalServer> {
  const address = localAddress(options.dataDir)
  ensurePrivate(address)
  if (await answers(address.path))
    throw new AcuseError('in-use', `Another Acuse already serves ${options.dataDir}.`)
  // Removes a killed host's socket; a pipe vanishes with its process.
  if (process.platform !== 'win32') rmSync(address.path, { force: true })

  const clients = new Map<Socket, () => void>()
  const server = createServer((socket) => {
    socket.on('close', () => clients.delete(socket))
    clients.set(socket, serve(options.engine, socket))
  })
  await listenPrivately(server, address.path)
  return {
    path: address.path,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const finish of clients.values()) finish()
      const cut = setTimeout(() => {
        for (const socket of clients.keys()) socket.destroy()
      }, CLOSE_GRACE_MS)
      await closed
      clearTimeout(cut)
    },
  }
}

/** @returns a function that ends the connection once all requests are answered */
function serve(engine: Engine, socket: Socket): () => void {
  let unanswered = 0
  let finishing = false
  let unsubscribe: (() => void) | undefined

  function send(line: object): void {
    if (socket.writable) socket.write(`${JSON.stringify(line)}\n`)
  }
  function throttle(): void {
    // Keep reading, so that the client's end arrives.
    if (finishing && unanswered === 0) socket.end().resume()
    else if (finishing || unanswered >= UNANSWERED_LIMIT || socket.writableLength > UNREAD_LIMIT)
      socket.pause()
    else socket.resume()
  }
  async function answer(line: string): Promise<Reply> {
    let asked: ReturnType<typeof request.parse>
    try {
      asked = request.parse(JSON.parse(line))
    } catch {
      return misunderstood('Send {"id": …, "command": "…", "params": {…}} as one line of JSON.')
    }
    try {
      if (asked.command === SUBSCRIBE) {
        unsubscribe ??= subscribe(engine, socket)
        return { id: asked.id, result: {} }
      }
      return { id: asked.id, result: await engine.dispatch(asked.command, asked.params) }
    } catch (error) {
      return { id: asked.id, refusal: toRefusal(error, asked.command) }
    }
  }

  const lines = new LineReader(
    REQUEST_LIMIT,
    async (line) => {
      unanswered += 1
      throttle()
      send(await answer(line))
      unanswered -= 1
      throttle()
    },
    () => send(misunderstood(`A line may have ${REQUEST_LIMIT} bytes at most.`)),
  )
  socket.on('data', (bytes: Buffer) => lines.push(bytes))
  socket.on('drain', throttle)
  socket.on('error', () => socket.destroy())
  socket.on('close', () => unsubscribe?.())
  return () => {
    finishing = true
    throttle()
  }
}

function subscribe(engine: Engine, socket: Socket): () => void {
  return numberedPushes(engine, {
    send: (text, handedOver) => {
      if (socket.writable) socket.write(`${text}\n`, handedOver)
    },
    waiting: () => socket.writableLength,
  })
}

const misunderstood = (message: string): Reply => ({ id: null, refusal: { code: 'bad-params', message } })

async function answers(path: string): Promise<boolean> {
  const socket = connect(path)
  const answered = await once(socket, 'connect').catch(() => null)
  socket.destroy()
  return answered !== null
}

/** Makes the socket private from the start by the umask; a later chmod alone would leave a moment of access for others. */
async function listenPrivately(server: Server, path: string): Promise<void> {
  const before = process.umask(0o177)
  try {
    server.listen(path)
  } finally {
    process.umask(before)
  }
  await once(server, 'listening').catch((error: unknown) => {
    throw new AcuseError('forbidden', `The local socket ${path} cannot be made: ${messageOf(error)}`)
  })
  if (process.platform !== 'win32') chmodSync(path, 0o600)
}

import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { WebSocket, WebSocketServer } from 'ws'
import { COMMANDS, type CommandName, isCommand, type Params, type Result } from '#contract/commands.ts'
import { AcuseError, toRefusal } from '#contract/errors.ts'
import type { Push, Pushes, PushName } from '#contract/pushes.ts'
import type { HostStatus } from '#contract/status.ts'
import type { Engine } from '#core/engine/engine.ts'
import { opened } from './listening-port.ts'

/** Answers a command instead of the engine; `ask` passes it on to the engine. */
export type Answer<C extends CommandName> = (
  params: Params<C>,
  ask: () => Promise<Result<C>>,
) => Result<C> | Promise<Result<C>>

interface Client {
  readonly socket: WebSocket
  /** Number of the client's last push, lost ones included. */
  seq: number
}

/**
 * A proxy between a window and its browser host. It forwards everything unchanged until a test delays, refuses, holds, alters or loses
 * messages.
 */
export class ApiWrapper {
  /** Additional latency of every command, milliseconds. */
  latencyMs = 0
  /** Whether pushes are lost; the window then sees gaps in their numbers. */
  losesPushes = false
  /** Members to replace in every push of the status. */
  statusChange: Partial<HostStatus> = {}
  /** Connections for pushes wait for this promise. */
  pushesAfter: Promise<void> | null = null
  /** Names and parameters of the commands that the window sent. */
  readonly calls: { readonly command: string; readonly params: unknown }[] = []
  readonly #engine: Engine
  readonly #port: number
  readonly #answers = new Map<CommandName, (params: unknown) => Promise<unknown>>()
  readonly #clients = new Set<Client>()
  readonly #sockets = new WebSocketServer({ noServer: true })
  readonly #agent = new Agent({ keepAlive: true })
  readonly #server = createServer((asked, answer) => void this.#take(asked, answer))
  #disconnected = false

  /** @param port of the browser host on this machine */
  constructor(engine: Engine, port: number) {
    this.#engine = engine
    this.#port = port
    this.#server.on('upgrade', (asked, socket, head) => void this.#relay(asked, socket, head))
  }

  /** @returns the proxy's origin */
  async start(): Promise<string> {
    return `http://127.0.0.1:${await opened(this.#server)}`
  }

  close(): void {
    this.disconnect()
    this.#server.close()
    this.#server.closeAllConnections()
    this.#agent.destroy()
  }

  reset(): void {
    this.latencyMs = 0
    this.losesPushes = false
    this.statusChange = {}
    this.pushesAfter = null
    this.#disconnected = false
    this.calls.length = 0
    this.#answers.clear()
  }

  sent(command: CommandName): readonly unknown[] {
    return this.calls.filter((one) => one.command === command).map(({ params }) => params)
  }

  answer<C extends CommandName>(command: C, answer: Answer<C>): void {
    this.#answers.set(command, async (given) => {
      const params = COMMANDS[command].params.parse(given)
      return answer(params, () => this.#engine.call(command, params))
    })
  }

  /** Replaces members of the engine's answer. */
  alter<C extends CommandName>(command: C, change: Partial<Result<C>>): void {
    this.answer(command, async (_, ask) => ({ ...(await ask()), ...change }))
  }

  refuse(command: CommandName, message: string): void {
    this.answer(command, () => {
      throw new AcuseError('store-failed', message)
    })
  }

  /** Delays answers of a command. @returns a function that releases all of them, later ones included */
  hold(command: CommandName): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.answer(command, async (_, ask) => {
      await promise
      return ask()
    })
    return resolve
  }

  pass(command: CommandName): void {
    this.#answers.delete(command)
  }

  /** Closes connections for pushes, and refuses commands and connections until `reset` or `reconnect`. */
  disconnect(): void {
    this.#disconnected = true
    for (const { socket } of this.#clients) socket.terminate()
  }

  reconnect(): void {
    this.#disconnected = false
  }

  /** Sends a push in the engine's name. */
  push<P extends PushName>(push: P, payload: Pushes[P]): void {
    for (const client of this.#clients) this.#pass(client, { push, payload })
  }

  async #take(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const name = /^\/api\/([\w.-]+)$/.exec(asked.url ?? '')?.[1] ?? ''
    if (!isCommand(name)) return this.#forward(asked, answer, asked)
    const body = await buffer(asked)
    const params: unknown = JSON.parse(body.toString())
    this.calls.push({ command: name, params })
    if (this.latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, this.latencyMs))
    const altered = this.#answers.get(name)
    if (this.#disconnected) answer.destroy()
    else if (altered) await respond(answer, name, altered(params))
    else this.#forward(asked, answer, body)
  }

  #forward(asked: IncomingMessage, answer: ServerResponse, body: IncomingMessage | Buffer): void {
    const onward = request(
      {
        ...{ agent: this.#agent, host: '127.0.0.1', port: this.#port },
        ...{ method: asked.method, path: asked.url, headers: asked.headers },
      },
      (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers)
        response.pipe(answer)
      },
    )
    onward.on('error', () => answer.destroy())
    if (Buffer.isBuffer(body)) onward.end(body)
    else body.pipe(onward)
  }

  async #relay(asked: IncomingMessage, connection: Duplex, head: Buffer): Promise<void> {
    connection.on('error', () => connection.destroy())
    await this.pushesAfter
    if (this.#disconnected) {
      connection.destroy()
      return
    }
    const { origin = '', host = '' } = asked.headers
    const protocols = asked.headers['sec-websocket-protocol']?.split(',').map((name) => name.trim())
    const upstream = new WebSocket(`ws://127.0.0.1:${this.#port}${asked.url}`, protocols, {
      headers: { origin, host },
    })
    upstream.on('error', () => connection.destroy())
    upstream.once('open', () =>
      this.#sockets.handleUpgrade(asked, connection, head, (socket) => {
        const client: Client = { socket, seq: 0 }
        this.#clients.add(client)
        upstream.on('message', (text) => {
          if (String(text) !== '') this.#pass(client, JSON.parse(String(text)))
          else if (!this.losesPushes) socket.send('')
        })
        upstream.on('close', () => socket.close())
        socket.on('close', () => {
          this.#clients.delete(client)
          upstream.terminate()
        })
      }),
    )
  }

  /** Numbers each push as the host does; the host skips pushes only for slow clients, and we are fast. */
  #pass(client: Client, given: Omit<Push, 'seq'>): void {
    client.seq += 1
    const push =
      given.push === 'status.changed'
        ? { ...given, payload: { ...given.payload, ...this.statusChange } }
        : given
    if (!this.losesPushes) client.socket.send(JSON.stringify({ ...push, seq: client.seq }))
  }
}

/** Writes results and refusals as the browser host does. */
async function respond(answer: ServerResponse, command: string, result: Promise<unknown>): Promise<void> {
  const [status, value] = await result.then(
    (given) => [200, given] as const,
    (error: unknown) => [503, toRefusal(error, command)] as const,
  )
  answer.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' })
  answer.end(JSON.stringify(value))
}

import { setMaxListeners } from 'node:events'
import { Agent as PlainAgent } from 'node:http'
import { Agent as TlsAgent } from 'node:https'
import type { PluginEventType } from '#catalog/service.ts'
import type { ExecutionLog } from '../log/log.ts'
import type { Plugin, Plugins } from '../records/credentials.ts'
import { type Attempt, type AttemptOptions, attempt, NO_EVENT, type Outgoing } from './attempt.ts'

interface Parcel {
  readonly key: string
  readonly plugin: Plugin & { readonly url: string }
  readonly eventType: PluginEventType
  readonly sender: string
  readonly body: Buffer
}

interface ForwarderOptions {
  readonly plugins: Plugins
  readonly log: ExecutionLog
  readonly now: () => number
  readonly timeoutMs: number
}

const NO_DATA = Buffer.alloc(0)

/** Forwards plugin events: one attempt per plugin, in order (plugins/events; the manner of delivery is a sandbox choice). */
export class Forwarder {
  readonly #options: ForwarderOptions
  readonly #channels = new Map<number, Channel<Parcel>>()

  constructor(options: ForwarderOptions) {
    this.#options = options
  }

  /**
   * @param data the event's data, byte for byte
   * @returns the number of plugins that will get the event
   */
  forward(sender: Plugin, eventType: PluginEventType, data: Buffer | undefined): number {
    const head = `{"eventType":${JSON.stringify(eventType)}`
    const body = Buffer.concat([
      Buffer.from(data ? `${head},"data":` : head),
      data ?? NO_DATA,
      Buffer.from('}'),
    ])
    const receivers = this.#options.plugins
      .list()
      .flatMap((plugin) => (plugin.url === null ? [] : [{ ...plugin, url: plugin.url }]))
      .filter(({ id, active, eventTypes }) => id !== sender.id && active && eventTypes.includes(eventType))
    return receivers.filter((plugin) =>
      this.#channel(plugin.id).push({ key: '', plugin, eventType, sender: sender.name, body }),
    ).length
  }

  async close(): Promise<void> {
    for (const channel of this.#channels.values()) {
      channel.clear()
      channel.abort()
    }
    while ([...this.#channels.values()].some(({ pending }) => pending > 0))
      await new Promise((resolve) => setTimeout(resolve, 5))
    for (const channel of this.#channels.values()) channel.close()
  }

  #channel(id: number): Channel<Parcel> {
    const found = this.#channels.get(id)
    if (found) return found
    const made: Channel<Parcel> = new Channel<Parcel>(
      this.#options.timeoutMs,
      (parcel) => this.#send(made, parcel),
      1,
    )
    this.#channels.set(id, made)
    return made
  }

  async #send(channel: Channel<Parcel>, { plugin, eventType, sender, body }: Parcel): Promise<void> {
    const { log, now } = this.#options
    const at = now()
    const made = await channel.send({ method: 'POST', url: plugin.url, headers: [], body })
    log.entry({
      ...NO_EVENT,
      type: 'plugin',
      kind: eventType,
      cause: `plugin ${sender}`,
      target: { id: plugin.id, name: plugin.name },
      at,
      method: 'POST',
      url: plugin.url,
      requestBody: body,
      ...made,
    })
  }
}

/** Subjects whose events are in flight to one receiver at once. */
const PARALLEL = 16
/** Queue limit. Beyond it a slow receiver loses events, which the log records; otherwise memory would run out. */
const CAPACITY = 50_000
/** Idle time after which a connection is closed: later, the receiver may close it while the next event is written to it. */
const REST_MS = 1_000

/** One receiver's queue and connections; separate ones, so that a slow receiver does not delay others. */
export class Channel<T extends { readonly key: string }> {
  readonly #lanes = new Map<string, T[]>()
  readonly #ready: string[] = []
  readonly #run: (item: T) => Promise<void>
  readonly #parallel: number
  readonly #plain = new PlainAgent({ keepAlive: true, maxSockets: PARALLEL, timeout: REST_MS })
  readonly #tls = new TlsAgent({ keepAlive: true, maxSockets: PARALLEL, timeout: REST_MS })
  readonly #stop = new AbortController()
  readonly #timeoutMs: number
  #running = 0
  #waiting = 0

  /**
   * @param run sends an item and must not reject. Items of one key run in sequence; several keys run in parallel, in turn
   * @param parallel number of items in flight; 1 keeps the order of all items
   */
  constructor(timeoutMs: number, run: (item: T) => Promise<void>, parallel = PARALLEL) {
    this.#timeoutMs = timeoutMs
    this.#run = run
    this.#parallel = parallel
    setMaxListeners(0, this.#stop.signal)
  }

  get pending(): number {
    return this.#waiting + this.#running
  }

  push(item: T): boolean {
    if (this.#waiting >= CAPACITY) return false
    this.#waiting += 1
    const lane = this.#lanes.get(item.key)
    if (lane) lane.push(item)
    else {
      this.#lanes.set(item.key, [item])
      this.#ready.push(item.key)
    }
    this.#pump()
    return true
  }

  clear(): readonly T[] {
    this.#waiting = 0
    return [...this.#lanes.values()].flatMap((lane) => lane.splice(0))
  }

  send(outgoing: Outgoing, options: Pick<AttemptOptions, 'cut'> = {}): Promise<Attempt> {
    return attempt(outgoing, {
      ...options,
      agent: outgoing.url.startsWith('https:') ? this.#tls : this.#plain,
      timeoutMs: this.#timeoutMs,
      signal: this.#stop.signal,
    })
  }

  abort(): void {
    this.#stop.abort()
  }

  close(): void {
    this.#plain.destroy()
    this.#tls.destroy()
  }

  #pump(): void {
    while (this.#running < this.#parallel) {
      const key = this.#ready.shift()
      if (key === undefined) return
      const item = this.#lanes.get(key)?.shift()
      if (item === undefined) {
        this.#lanes.delete(key)
        continue
      }
      this.#waiting -= 1
      this.#running += 1
      void this.#run(item).then(() => {
        this.#running -= 1
        // The lane stays registered while an item is in flight, so that a new item of the same key waits.
        this.#ready.push(key)
        this.#pump()
      })
    }
  }
}

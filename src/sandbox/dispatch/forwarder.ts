import type { PluginEventType } from '#catalog/service.ts'
import type { ExecutionLog } from '../log/log.ts'
import type { Plugin, Plugins } from '../records/credentials.ts'
import { NO_EVENT } from './attempt.ts'
import { Channel } from './channel.ts'

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

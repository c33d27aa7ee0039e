import { setMaxListeners } from 'node:events'
import { Agent as PlainAgent } from 'node:http'
import { Agent as TlsAgent } from 'node:https'
import { type Attempt, type AttemptOptions, attempt, type Outgoing } from './attempt.ts'
import { Lanes } from './lanes.ts'

/** Subjects under way at once at one receiver. */
const PARALLEL = 16
/** Beyond it a receiver that does not keep up loses events, and the log says so, before memory runs out. */
const CAPACITY = 50_000
/** A kept connection that rests for longer may be closed by the other side just as the next event is written to it. */
const REST_MS = 1_000

/** The way to one receiver, with a queue and connections of its own: however slow it is, it holds up nobody else. */
export class Channel<T extends { readonly key: string }> {
  readonly #lanes: Lanes<T>
  readonly #plain = new PlainAgent({ keepAlive: true, maxSockets: PARALLEL, timeout: REST_MS })
  readonly #tls = new TlsAgent({ keepAlive: true, maxSockets: PARALLEL, timeout: REST_MS })
  readonly #stop = new AbortController()
  readonly #timeoutMs: number

  /** @param parallel 1 for a receiver that must get everything in order */
  constructor(timeoutMs: number, run: (item: T) => Promise<void>, parallel = PARALLEL) {
    this.#timeoutMs = timeoutMs
    setMaxListeners(0, this.#stop.signal)
    this.#lanes = new Lanes({ parallel, capacity: CAPACITY, run })
  }

  get pending(): number {
    return this.#lanes.pending
  }

  /** @returns false when too many wait already */
  push(item: T): boolean {
    return this.#lanes.push(item.key, item)
  }

  /** Takes out what waits, the attempts under way go on. */
  clear(): readonly T[] {
    return this.#lanes.clear()
  }

  send(outgoing: Outgoing, options: Pick<AttemptOptions, 'cut'> = {}): Promise<Attempt> {
    return attempt(outgoing, {
      ...options,
      agent: outgoing.url.startsWith('https:') ? this.#tls : this.#plain,
      timeoutMs: this.#timeoutMs,
      signal: this.#stop.signal,
    })
  }

  /** Ends the attempts under way as failed. */
  abort(): void {
    this.#stop.abort()
  }

  close(): void {
    this.#plain.destroy()
    this.#tls.destroy()
  }
}

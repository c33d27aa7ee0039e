import { setMaxListeners } from 'node:events'
import { Agent as PlainAgent } from 'node:http'
import { Agent as TlsAgent } from 'node:https'
import { type Attempt, type AttemptOptions, attempt, type Outgoing } from './attempt.ts'

interface LanesOptions<T> {
  /** How many items may be under way at once, each of another key. */
  readonly parallel: number
  readonly capacity: number
  /** Must not reject. */
  run(item: T): Promise<void>
}

/** Works items off: one after the other for one key, several keys at a time, the keys in turn. */
class Lanes<T> {
  readonly #options: LanesOptions<T>
  readonly #lanes = new Map<string, T[]>()
  readonly #ready: string[] = []
  #running = 0
  #waiting = 0

  constructor(options: LanesOptions<T>) {
    this.#options = options
  }

  /** Items that wait or are under way. */
  get pending(): number {
    return this.#waiting + this.#running
  }

  /** @returns false when as many wait as may; the item is not taken then */
  push(key: string, item: T): boolean {
    if (this.#waiting >= this.#options.capacity) return false
    this.#waiting += 1
    const lane = this.#lanes.get(key)
    if (lane) lane.push(item)
    else {
      this.#lanes.set(key, [item])
      this.#ready.push(key)
    }
    this.#pump()
    return true
  }

  /** Takes out all that wait; what is under way goes on. */
  clear(): readonly T[] {
    this.#waiting = 0
    return [...this.#lanes.values()].flatMap((lane) => lane.splice(0))
  }

  #pump(): void {
    while (this.#running < this.#options.parallel) {
      const key = this.#ready.shift()
      if (key === undefined) return
      const item = this.#lanes.get(key)?.shift()
      if (item === undefined) {
        this.#lanes.delete(key)
        continue
      }
      this.#waiting -= 1
      this.#running += 1
      void this.#options.run(item).then(() => {
        this.#running -= 1
        // The lane stays its key's as long as one of its items was under way: a new one must wait for that.
        this.#ready.push(key)
        this.#pump()
      })
    }
  }
}

/** Subjects under way at once at one receiver. */
const PARALLEL = 16
/** Beyond it a receiver that does not keep up loses events, and the log says so, before memory runs out. */
const CAPACITY = 50_000
/** A kept connection that rests for longer may be closed by the other side just as the next event is written to it. */
const REST_MS = 1_000

/** The way to one receiver, with a queue and connections of its own: however slow it is, it delays no other. */
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

import { setMaxListeners } from 'node:events'
import { Agent as PlainAgent } from 'node:http'
import { Agent as TlsAgent } from 'node:https'
import { type Attempt, type AttemptOptions, attempt, type Outgoing } from './attempt.ts'

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

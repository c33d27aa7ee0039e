import { Fifo } from './fifo.ts'

export interface LanesOptions<T> {
  /** How many items may be under way at once, each of another key. */
  readonly parallel: number
  /** How many may wait. */
  readonly capacity: number
  /** Must not reject. */
  run(item: T): Promise<void>
}

/** Works items off: one after the other for one key, several keys at a time, the keys in turn. */
export class Lanes<T> {
  readonly #options: LanesOptions<T>
  readonly #lanes = new Map<string, Fifo<T>>()
  readonly #ready = new Fifo<string>()
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
      const fresh = new Fifo<T>()
      fresh.push(item)
      this.#lanes.set(key, fresh)
      this.#ready.push(key)
    }
    this.#pump()
    return true
  }

  /** Takes out all that wait; what is under way goes on. */
  clear(): readonly T[] {
    this.#waiting = 0
    return [...this.#lanes.values()].flatMap((lane) => lane.drain())
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

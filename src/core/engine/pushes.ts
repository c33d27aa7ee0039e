import type { Pushed, Pushes } from '#contract/pushes.ts'
import { ROWS_PER_PUSH } from '#contract/values.ts'
import type { Deliveries, Store, StoreNotice } from '../ports.ts'

export type PushListener = (...pushed: Pushed) => void

/** At most 20 pushes of rows a second: more than a user can follow, but few enough that a burst costs little. */
const INTERVAL_MS = 50
const GATHER_MS = 5
/** The rate keeps falling after the last arrival without any notice, so one more push is due after this time. */
const EBB_MS = 1_000

/**
 * Turns the store's notices (ids) into pushes (rows), batched and rate-limited. Reads rows when the push goes out, so that a row that
 * arrived and was judged in between goes out once, in its latest state.
 */
export class PushFeed {
  readonly #store: Store
  readonly #deliveries: Pick<Deliveries, 'rows'>
  readonly #status: () => Pushes['status.changed']
  readonly #listeners = new Set<PushListener>()
  readonly #changed = new Set<number>()
  #skipped = 0
  #lastId = 0
  #statusDue = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #ebb: ReturnType<typeof setTimeout> | undefined
  /** When the last push went out, by `performance.now()`. */
  #sentAt = Number.NEGATIVE_INFINITY
  #closed = false

  /** @param deliveries reads rows with credentials masked */
  constructor(store: Store, deliveries: Pick<Deliveries, 'rows'>, status: () => Pushes['status.changed']) {
    this.#store = store
    this.#deliveries = deliveries
    this.#status = status
    store.onNotice((notice) => this.#take(notice))
  }

  subscribe(listener: PushListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  get heard(): boolean {
    return this.#listeners.size > 0
  }

  send(...pushed: Pushed): void {
    for (const listener of this.#listeners) listener(...pushed)
  }

  /** Sends the status with the next push. */
  statusChanged(): void {
    this.#statusDue = true
    this.#schedule()
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    clearTimeout(this.#ebb)
    this.#listeners.clear()
  }

  #take(notice: StoreNotice): void {
    if (notice.type === 'reset') {
      this.#changed.clear()
      this.#skipped = 0
      this.send('store.reset', { reason: notice.reason })
    } else if (notice.type === 'marked') this.#gatherEach(notice.ids)
    else if (notice.type === 'drifted') {
      this.send('drift.changed', { kinds: notice.kinds })
      return
    } else if ('firstId' in notice) {
      this.#gather(notice.firstId, notice.lastId)
      this.#lastId = Math.max(this.#lastId, notice.lastId)
    }
    this.#statusDue = true
    this.#schedule()
  }

  #gatherEach(ids: readonly number[]): void {
    if (this.#listeners.size === 0) return
    for (const id of ids) this.#changed.add(id)
    this.#bound()
  }

  #gather(firstId: number, lastId: number): void {
    if (this.#listeners.size === 0) return
    const wanted = Math.max(firstId, lastId - ROWS_PER_PUSH + 1)
    this.#skipped += wanted - firstId
    for (let id = wanted; id <= lastId; id++) this.#changed.add(id)
    this.#bound()
  }

  #bound(): void {
    if (this.#changed.size <= ROWS_PER_PUSH) return
    const newest = [...this.#changed].sort((a, b) => a - b).slice(-ROWS_PER_PUSH)
    this.#skipped += this.#changed.size - newest.length
    this.#changed.clear()
    for (const id of newest) this.#changed.add(id)
  }

  #schedule(): void {
    if (this.#timer || this.#closed || this.#listeners.size === 0) return
    // Even the first notice after a pause waits briefly, to include others of the same commit and burst.
    const wait = Math.max(GATHER_MS, this.#sentAt + INTERVAL_MS - performance.now())
    this.#timer = setTimeout(() => void this.#flush(), wait)
  }

  async #flush(): Promise<void> {
    this.#sentAt = performance.now()
    const ids = [...this.#changed]
    const skipped = this.#skipped
    this.#changed.clear()
    this.#skipped = 0
    try {
      // If the read fails, the rows count as skipped, and each window requests its rows again.
      const rows = ids.length > 0 ? await this.#deliveries.rows(ids).catch(() => undefined) : []
      if (this.#closed) return
      if (ids.length > 0 || skipped > 0)
        this.send('deliveries.changed', {
          rows: rows ?? [],
          skipped: rows ? skipped : skipped + ids.length,
          lastId: this.#lastId,
          stored: this.#store.status().counts.stored,
        })
      if (this.#statusDue) {
        this.#statusDue = false
        const status = this.#status()
        this.send('status.changed', status)
        clearTimeout(this.#ebb)
        // Even when the rate is still 0: arrivals of the current second count only from the next one on.
        if (status.rate > 0 || ids.length > 0)
          this.#ebb = setTimeout(() => this.statusChanged(), EBB_MS).unref()
      }
    } finally {
      this.#timer = undefined
      if (this.#changed.size > 0 || this.#statusDue) this.#schedule()
    }
  }
}

const WINDOW_S = 5

/** Arrivals per second over the last five whole seconds, in constant memory. */
export class ArrivalRate {
  readonly #counts = new Array<number>(WINDOW_S + 1).fill(0)
  #second = 0

  add(count: number, nowMs: number): void {
    this.#advance(nowMs)
    const slot = this.#second % this.#counts.length
    this.#counts[slot] = (this.#counts[slot] ?? 0) + count
  }

  perSecond(nowMs: number): number {
    this.#advance(nowMs)
    const running = this.#second % this.#counts.length
    const finished = this.#counts.reduce((sum, count, slot) => (slot === running ? sum : sum + count), 0)
    return finished / WINDOW_S
  }

  #advance(nowMs: number): void {
    const second = Math.floor(nowMs / 1000)
    const steps = Math.min(Math.max(second - this.#second, 0), this.#counts.length)
    for (let step = 1; step <= steps; step++) this.#counts[(this.#second + step) % this.#counts.length] = 0
    // Beyond the ring's length every slot is already zero.
    this.#second = Math.max(second, this.#second)
  }
}

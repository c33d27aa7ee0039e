import type { JobOptions } from '#contract/replay.ts'
import type { Item } from './ports.ts'

export type Pace = Pick<
  JobOptions,
  'order' | 'concurrency' | 'ratePerSecond' | 'gaps' | 'retry' | 'stopAfterFailures'
>

/** Maximum entries in memory; the others wait on disk. */
export const LOOK_AHEAD = 1_000

/**
 * Decides which entries of a lane may start now. Pure. In `arrival` order entries start in order; with a concurrency of 1 each also waits
 * for the end of the previous one, retries included. In `document` order that holds among the entries of one document.
 */
export class LaneScheduler {
  readonly #pacer: Pacer
  #pace: Pace
  #ready: Item[] = []
  /** Entries behind another of their document. A key stays while an entry of its document is ready, in flight or awaiting a retry. */
  #behind = new Map<string, Item[]>()
  #retrying: { readonly item: Item; readonly at: number }[] = []
  readonly #onTheirWay = new Map<number, Item>()
  #held = new Set<number>()
  readonly #retries = new Map<number, number>()
  readonly #preferred = new Set<number>()
  #cursor = 0
  #exhausted = false
  #failures = 0
  #running = true

  constructor(pace: Pace) {
    this.#pace = pace
    this.#pacer = new Pacer(pace)
  }

  get inFlight(): number {
    return this.#onTheirWay.size
  }

  /** The whole queue was read, and all entries have ended. */
  get idle(): boolean {
    return this.#exhausted && this.#held.size === 0
  }

  get running(): boolean {
    return this.#running
  }

  get more(): boolean {
    return !this.#exhausted
  }

  wants(): { readonly afterSeq: number; readonly limit: number } | null {
    if (this.#exhausted || this.#held.size > LOOK_AHEAD / 2) return null
    return { afterSeq: this.#cursor, limit: LOOK_AHEAD - this.#held.size }
  }

  offer(items: readonly Item[], limit: number): void {
    for (const item of items) {
      this.#cursor = Math.max(this.#cursor, item.seq)
      if (this.#held.has(item.seq)) continue
      this.#held.add(item.seq)
      this.#place(item)
    }
    this.#exhausted = items.length < limit
  }

  grown(): void {
    this.#exhausted = false
  }

  next(now: number): Item | null {
    this.#takeDueRetries(now)
    const item = this.#candidate()
    if (!item || this.#pacer.dueAt(item.receivedAt, now) > now) return null
    this.#ready.splice(this.#ready.indexOf(item), 1)
    this.#preferred.delete(item.seq)
    this.#onTheirWay.set(item.seq, item)
    this.#pacer.started(item.receivedAt, now)
    return item
  }

  /** Null when only the end of an attempt or a new entry can help. */
  wakeAt(now: number): number | null {
    if (!this.#running || this.#onTheirWay.size >= this.#pace.concurrency) return null
    const item = this.#candidate()
    const times = item ? [this.#pacer.dueAt(item.receivedAt, now)] : []
    if (this.#retrying[0]) times.push(this.#retrying[0].at)
    return times.length > 0 ? Math.min(...times) : null
  }

  /** @returns `waiting` when the entry is retried */
  ended(item: Item, ok: boolean, now: number): 'done' | 'failed' | 'waiting' {
    this.#onTheirWay.delete(item.seq)
    const retries = this.#retries.get(item.seq) ?? 0
    if (!ok && retries < this.#pace.retry.times) {
      this.#retries.set(item.seq, retries + 1)
      this.#retrying.push({ item: { ...item, tries: item.tries + 1 }, at: now + this.#pace.retry.delayMs })
      this.#retrying.sort((a, b) => a.at - b.at)
      return 'waiting'
    }
    this.#release(item)
    if (ok) return 'done'
    this.#failures += 1
    if (this.#pace.stopAfterFailures !== null && this.#failures >= this.#pace.stopAfterFailures)
      this.#running = false
    return 'failed'
  }

  /** Puts back an entry that was not sent or whose target was down; it keeps its place and its retries. */
  back(item: Item): void {
    this.#onTheirWay.delete(item.seq)
    if (this.#held.has(item.seq)) this.#makeReady(item)
  }

  drop(item: Item): void {
    this.#onTheirWay.delete(item.seq)
    this.#release(item)
  }

  /** Lets an entry start before those of other documents. @returns false when it is not in memory */
  prefer(deliveryId: number): boolean {
    const among = (items: Iterable<Item>) => {
      for (const item of items) if (item.deliveryId === deliveryId) return item
      return undefined
    }
    if (among(this.#onTheirWay.values())) return true
    const found = among(this.#ready) ?? among([...this.#behind.values()].flat())
    if (found) this.#preferred.add(found.seq)
    return found !== undefined
  }

  pause(): void {
    this.#running = false
  }

  /** Resumes, with the failure count reset and gaps counted from the next start. */
  resume(): void {
    this.#running = true
    this.#failures = 0
    this.#pacer.restart()
  }

  setConcurrency(concurrency: number): void {
    this.#pace = { ...this.#pace, concurrency }
  }

  /** Drops all entries except those in flight, and reads the queue from its start again. */
  reread(): void {
    this.#ready = []
    this.#retrying = []
    this.#retries.clear()
    this.#preferred.clear()
    this.#held = new Set(this.#onTheirWay.keys())
    this.#behind = new Map()
    for (const { documentKey } of this.#onTheirWay.values())
      if (this.#ordered(documentKey)) this.#behind.set(documentKey, [])
    this.#cursor = 0
    this.#exhausted = false
  }

  #candidate(): Item | undefined {
    if (!this.#running || this.#onTheirWay.size >= this.#pace.concurrency) return undefined
    const strict = this.#pace.order === 'arrival' && this.#pace.concurrency === 1
    if (strict && this.#retrying.length > 0) return undefined
    if (this.#preferred.size > 0) {
      const preferred = this.#ready.find(({ seq }) => this.#preferred.has(seq))
      if (preferred) return preferred
    }
    return this.#ready[0]
  }

  #takeDueRetries(now: number): void {
    while (this.#retrying[0] && this.#retrying[0].at <= now) {
      const due = this.#retrying.shift()
      if (due) this.#makeReady(due.item)
    }
  }

  #place(item: Item): void {
    const { documentKey } = item
    const others = this.#ordered(documentKey) ? this.#behind.get(documentKey) : undefined
    if (others) {
      others.push(item)
      return
    }
    if (this.#ordered(documentKey)) this.#behind.set(documentKey, [])
    this.#makeReady(item)
  }

  #makeReady(item: Item): void {
    let at = this.#ready.length
    while (at > 0 && (this.#ready[at - 1]?.seq ?? 0) > item.seq) at -= 1
    this.#ready.splice(at, 0, item)
  }

  #release(item: Item): void {
    this.#held.delete(item.seq)
    this.#retries.delete(item.seq)
    const { documentKey } = item
    if (!this.#ordered(documentKey)) return
    const next = this.#behind.get(documentKey)?.shift()
    if (next) this.#makeReady(next)
    else this.#behind.delete(documentKey)
  }

  #ordered(documentKey: string | null): documentKey is string {
    return documentKey !== null && this.#pace.order === 'document'
  }
}

/** Maximum seconds of saved tokens, to make up for a late timer but not to allow bursts. */
const SAVED_SECONDS = 0.05
/** Tolerance for rounding errors in sums of fractions of a token. */
const TINY = 1e-9

export interface PacerOptions {
  readonly ratePerSecond: number | null
  readonly gaps: number | null
  readonly concurrency: number
}

/** When the next entry may start: by a token bucket of at most `concurrency`, and by the original gaps between arrivals. */
export class Pacer {
  readonly #rate: number | null
  readonly #gaps: number | null
  readonly #capacity: number
  #tokens = 1
  #filledAt: number | undefined
  /** Start of the gaps: an arrival (microseconds), and when its entry started (milliseconds). */
  #base: { readonly receivedAt: number; readonly at: number } | undefined

  constructor({ ratePerSecond, gaps, concurrency }: PacerOptions) {
    this.#rate = ratePerSecond
    this.#gaps = gaps
    this.#capacity = Math.max(1, Math.min(concurrency, (ratePerSecond ?? 0) * SAVED_SECONDS))
  }

  dueAt(receivedAt: number, now: number): number {
    return Math.max(this.#tokenAt(now), this.#gapAt(receivedAt, now))
  }

  started(receivedAt: number, now: number): void {
    if (this.#gaps !== null) this.#base ??= { receivedAt, at: now }
    if (this.#rate === null) return
    this.#fill(now)
    this.#tokens -= 1
  }

  restart(): void {
    this.#base = undefined
  }

  #tokenAt(now: number): number {
    if (this.#rate === null) return now
    this.#fill(now)
    return this.#tokens >= 1 - TINY ? now : now + ((1 - this.#tokens) / this.#rate) * 1_000
  }

  #fill(now: number): void {
    const elapsed = Math.max(0, now - (this.#filledAt ?? now))
    this.#tokens = Math.min(this.#capacity, this.#tokens + (elapsed / 1_000) * (this.#rate ?? 0))
    this.#filledAt = Math.max(now, this.#filledAt ?? now)
  }

  #gapAt(receivedAt: number, now: number): number {
    if (this.#gaps === null || !this.#base) return now
    return this.#base.at + (Math.max(0, receivedAt - this.#base.receivedAt) / 1_000) * this.#gaps
  }
}

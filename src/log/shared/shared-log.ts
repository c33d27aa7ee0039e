import { randomUUID } from 'node:crypto'
import { AcuseError } from '#contract/errors.ts'
import type { Log, LogPlace, LogRecord } from '#core/ports.ts'
import { reasonOf } from './database.ts'
import { Lane } from './lane.ts'
import { DAY_MS, type KeyedRecord, payloadOf } from './rows.ts'
import type { Spill } from './spill.ts'

export interface SharedLogOptions {
  /** URL of the database, with one host or several. */
  readonly url: string
  /** Name of the receiver. */
  readonly name: string
  /** Where records go that the shared log did not take in time; null: their append fails. */
  readonly spill: Spill | null
  /** Longest wait for the shared log before a record goes to the spill. */
  readonly patienceMs?: number
  /** Longest wait for a batch from the spill, on a link that is fast enough for a full one. */
  readonly drainMs?: number
  readonly now?: () => number
  /** @param reason why records go to the spill; null when they reach the shared log again */
  trouble(reason: string | null): void
}

const LANES = 2
/** Limits of a batch: a larger one would delay its first records. */
const MOST_RECORDS = 256
const MOST_BYTES = 4 * 1024 * 1024
const PATIENCE_MS = 2_000
/** Interval of the attempts to reach a lost database, and to empty the spill. */
const RETRY_MS = 500
const DRAIN_MS = 10_000
/** A slow link gets smaller batches from the spill down to this, then more time up to that. */
const LEAST_BYTES = 64 * 1024
const MOST_DRAIN_MS = 320_000

interface Waiting {
  readonly records: readonly KeyedRecord[]
  resolve(ids: readonly number[]): void
  reject(error: unknown): void
}

/**
 * A log that several receivers share. An append returns when the database and its synchronous standby have the records, or when the
 * spill has them on this machine's disk.
 */
export class SharedLog implements Log {
  readonly #options: SharedLogOptions
  readonly #origin = randomUUID()
  readonly #lanes: Lane[]
  readonly #idle: Lane[]
  readonly #drain: Lane
  #pace: { readonly bytes: number; readonly ms: number }
  readonly #listeners = new Set<(place: LogPlace) => void>()
  #seq = 0
  #queue: Waiting[] = []
  #place: LogPlace = { position: 0, id: 0 }
  #reason: string | null = null
  #retry: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: SharedLogOptions) {
    this.#options = options
    const lane = () => new Lane(options.url, options.name)
    this.#lanes = Array.from({ length: LANES }, lane)
    this.#idle = [...this.#lanes]
    this.#drain = lane()
    this.#pace = { bytes: MOST_BYTES, ms: options.drainMs ?? DRAIN_MS }
    if (options.spill && options.spill.waiting > 0) this.#retryLater()
  }

  /** The last place that this receiver stored. */
  get place(): LogPlace {
    return this.#place
  }

  /** Identifies this run of the receiver. */
  get origin(): string {
    return this.#origin
  }

  /** Resolves with the ids of the numbered records; 0 for one in the spill, which gets its id later. None proves that some would be stored. */
  async append(records: readonly LogRecord[]): Promise<readonly number[]> {
    if (this.#closed) throw new AcuseError('store-failed', 'The log is closed.')
    const day = Math.floor((this.#options.now ?? Date.now)() / DAY_MS)
    const keyed = records.map(
      (record): KeyedRecord => ({
        origin: this.#origin,
        seq: ++this.#seq,
        day,
        kind: record.kind,
        numbered: record.numbered,
        payload: payloadOf(record),
      }),
    )
    if (this.#reason !== null && this.#options.spill) return this.#spill(keyed)
    return new Promise((resolve, reject) => {
      this.#queue.push({ records: keyed, resolve, reject })
      this.#send()
    })
  }

  follow(listener: (place: LogPlace) => void): void {
    this.#listeners.add(listener)
  }

  /** The shared log keeps its records; whole days are dropped by an administrator. */
  trim(): void {}

  /** Waits for what is in flight. What is left in the spill is drained by the next start. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#retry)
    while (this.#idle.length < this.#lanes.length) await new Promise((resolve) => setTimeout(resolve, 5))
    for (const lane of [...this.#lanes, this.#drain]) lane.close()
  }

  #send(): void {
    while (this.#queue.length > 0) {
      const lane = this.#idle.pop()
      if (!lane) return
      void this.#store(lane, this.#batch())
    }
  }

  #batch(): Waiting[] {
    const batch: Waiting[] = []
    for (let records = 0, bytes = 0; this.#queue.length > 0; ) {
      const [next] = this.#queue
      if (!next || (batch.length > 0 && (records >= MOST_RECORDS || bytes >= MOST_BYTES))) break
      this.#queue.shift()
      batch.push(next)
      records += next.records.length
      bytes += next.records.reduce((sum, { payload }) => sum + payload.byteLength, 0)
    }
    return batch
  }

  async #store(lane: Lane, batch: readonly Waiting[]): Promise<void> {
    const records = batch.flatMap((one) => one.records)
    try {
      const places = await lane.store(records, this.#options.patienceMs ?? PATIENCE_MS)
      this.#reached(Number(places.at(-1) ?? 0))
      let at = 0
      for (const one of batch) {
        const own = places.slice(at, at + one.records.length)
        at += one.records.length
        one.resolve(own.flatMap((place, index) => (one.records[index]?.numbered ? [Number(place)] : [])))
      }
    } catch (error) {
      this.#tell(reasonOf(error))
      await Promise.all(
        batch.map(({ records: own, resolve, reject }) => this.#spill(own).then(resolve, () => reject(error))),
      )
      // What waited behind it must not wait as long again.
      for (const { records: own, resolve, reject } of this.#options.spill ? this.#queue.splice(0) : [])
        this.#spill(own).then(resolve, reject)
    } finally {
      this.#idle.push(lane)
      this.#send()
    }
  }

  async #spill(records: readonly KeyedRecord[]): Promise<readonly number[]> {
    const { spill } = this.#options
    if (!spill) throw new AcuseError('store-failed', this.#reason ?? 'The shared log cannot be reached.')
    await spill.add(records)
    this.#retryLater()
    return records.flatMap(({ numbered }) => (numbered ? [0] : []))
  }

  #retryLater(): void {
    if (!this.#closed) this.#retry ??= setTimeout(() => void this.#recover(), RETRY_MS)
  }

  /** Empties the spill into the database. New records go to the database as soon as one batch has reached it. */
  async #recover(): Promise<void> {
    const { spill } = this.#options
    try {
      for (let drained = false; !drained && !this.#closed; ) {
        const batch = spill?.next(MOST_RECORDS, this.#pace.bytes)
        await this.#drained(batch?.records ?? [])
        batch?.done()
        this.#tell(null)
        drained = !batch
      }
    } catch (error) {
      this.#tell(reasonOf(error))
    } finally {
      this.#retry = undefined
      if (this.#reason !== null || (spill?.waiting ?? 0) > 0) this.#retryLater()
    }
  }

  /** Adapts to the link, so that a slow one makes progress too. */
  async #drained(records: readonly KeyedRecord[]): Promise<void> {
    const { bytes, ms } = this.#pace
    const since = performance.now()
    const isLate = (ofMs: number) => performance.now() - since >= ofMs
    try {
      await this.#drain.drain(records, ms)
    } catch (error) {
      if (isLate(ms))
        this.#pace =
          bytes > LEAST_BYTES ? { bytes: bytes / 2, ms } : { bytes, ms: Math.min(ms * 2, MOST_DRAIN_MS) }
      throw error
    }
    if (!isLate(ms / 4))
      this.#pace = {
        bytes: Math.min(bytes * 2, MOST_BYTES),
        ms: Math.max(ms / 2, this.#options.drainMs ?? DRAIN_MS),
      }
  }

  #reached(place: number): void {
    if (this.#reason !== null) this.#tell(null)
    if (place <= this.#place.id) return
    this.#place = { position: place, id: place }
    for (const listener of this.#listeners) listener(this.#place)
  }

  #tell(reason: string | null): void {
    const isNews = wordsOf(reason) !== wordsOf(this.#reason)
    this.#reason = reason
    if (isNews) this.#options.trouble(reason)
    if (reason !== null) this.#retryLater()
  }
}

/** What is the same in a reason that comes again: a full disk names another file each time. */
const wordsOf = (reason: string | null) => reason?.replace(/\d+/g, '')

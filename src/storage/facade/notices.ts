import type { HostStatus, LogProblem } from '#contract/status.ts'
import { Listeners } from '#core/listeners.ts'
import type { StoreNotice } from '#core/ports.ts'
import type { Remote } from '#threads/thread.ts'
import type { ReaderHandlers } from '../reader/worker.ts'
import type { WriterStatus } from '../writer/status.ts'

/** Shortest time between two notices of changed counts: counts change with every commit. */
const STATUS_MS = 250

export class Notices {
  readonly #listeners = new Listeners<[StoreNotice]>()
  readonly on = this.#listeners.add
  readonly send = this.#listeners.tell
  #timer: NodeJS.Timeout | undefined
  #last = 0

  /** Sends a change of state at once. */
  stateChanged(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#last = performance.now()
    this.send({ type: 'status' })
  }

  countsChanged(): void {
    if (this.#timer) return
    const wait = Math.max(0, this.#last + STATUS_MS - performance.now())
    this.#timer = setTimeout(() => this.stateChanged(), wait).unref()
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#listeners.clear()
  }

  /** Resolves when `done` returns true at a notice, or after `timeoutMs`. */
  async until(done: () => boolean, timeoutMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, timeoutMs)
    const stop = this.on(() => {
      if (done()) resolve()
    })
    await promise
    clearTimeout(timer)
    stop()
  }
}

type ResetReason = Extract<StoreNotice, { type: 'reset' }>['reason']

interface TallyParts {
  readonly reader: Remote<ReaderHandlers>
  readonly notices: Notices
  now(): number
}

/** Counts for the status, updated by messages of the threads, so that reading them costs nothing. */
export class Tally {
  readonly #parts: TallyParts
  #day: number
  #today = 0

  constructor(parts: TallyParts) {
    this.#parts = parts
    this.#day = startOfDay(parts.now())
  }

  counts(status: WriterStatus): Omit<HostStatus['counts'], 'unjudged' | 'unfiled'> {
    this.#turn()
    const { stored, rings, budgetDeleted } = status
    return {
      stored,
      rejected: rings.rejected.deliveries,
      rejectedEvicted: rings.rejected.evicted,
      malformed: rings.malformed.deliveries,
      malformedEvicted: rings.malformed.evicted,
      budgetDeleted,
      today: this.#today,
      trashed: status.trashed.deliveries,
    }
  }

  arrived(count: number): void {
    this.#turn()
    this.#today += count
  }

  /** Call when a fresh, empty database has taken over. */
  restart(): void {
    this.#today = 0
  }

  async countToday(): Promise<void> {
    // In microseconds; the day begins by the machine's time zone.
    const count = await this.#parts.reader.countSince(this.#day * 1_000).catch(() => undefined)
    this.#today = count ?? this.#today
  }

  /** Invalidates positions and counts that the reader and the windows cache. */
  reset(reason: ResetReason): void {
    void this.#parts.reader.reset().catch(() => undefined)
    this.#parts.notices.send({ type: 'reset', reason })
    this.#parts.notices.countsChanged()
  }

  /** Like `reset`. Resolves when the counts are up to date. */
  async changed(reason: ResetReason): Promise<void> {
    this.reset(reason)
    await this.countToday()
  }

  #turn(): void {
    const day = startOfDay(this.#parts.now())
    if (day === this.#day) return
    this.#day = day
    this.#today = 0
  }
}

const PROBLEMS_KEPT = 100

/** What is wrong with the log, for the status. */
export class LogProblems {
  readonly #notices: Notices
  #list: readonly LogProblem[] = []

  constructor(notices: Notices) {
    this.#notices = notices
  }

  get list(): readonly LogProblem[] {
    return this.#list
  }

  add(problem: LogProblem): void {
    this.#list = [...this.#list, problem].slice(-PROBLEMS_KEPT)
    this.#notices.stateChanged()
  }

  /** @param ids deliveries whose bytes are not as they were stored */
  altered(ids: readonly number[]): void {
    const known = this.#list.flatMap((one) => (one.kind === 'altered' ? one.ids : []))
    const all = [...new Set([...known, ...ids])].slice(0, PROBLEMS_KEPT)
    if (all.length === known.length) return
    this.#list = this.#list.filter(({ kind }) => kind !== 'altered')
    this.add({ kind: 'altered', ids: all })
  }
}

/** How long a command on a given delivery waits for it to be filed. */
const NAMED_MS = 10_000

interface FilingParts {
  /** Ids of the last delivery in the log, and of the last filed one. */
  last(): number
  filed(): number
  /** @returns whether filing is stopped at the moment */
  stuck(): boolean
}

/** Lets reads wait until deliveries received before them are filed. */
export class FilingWaits {
  readonly #parts: FilingParts
  #waiting: { readonly id: number; done(): void }[] = []

  constructor(parts: FilingParts) {
    this.#parts = parts
  }

  get unfiled(): number {
    return Math.max(0, this.#parts.last() - this.#parts.filed())
  }

  /** Resolves when a delivery is filed, when filing is stopped, or after `timeoutMs`. */
  async until(id: number, timeoutMs: number): Promise<void> {
    const { last, filed, stuck } = this.#parts
    const wanted = Math.min(id, last())
    if (filed() >= wanted || stuck()) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, timeoutMs)
    const waiting = { id: wanted, done: resolve }
    this.#waiting.push(waiting)
    await promise
    clearTimeout(timer)
    this.#waiting = this.#waiting.filter((one) => one !== waiting)
  }

  /** Like `until`, for the deliveries of a user's command. */
  named(ids: readonly number[]): Promise<void> {
    return this.until(Math.max(0, ...ids), NAMED_MS)
  }

  /** Call when deliveries were filed, or filing stopped. */
  changed(): void {
    if (this.#waiting.length === 0) return
    const { filed, stuck } = this.#parts
    for (const { id, done } of this.#waiting) if (filed() >= id || stuck()) done()
  }
}

function startOfDay(now: number): number {
  return new Date(now).setHours(0, 0, 0, 0)
}

/** @returns calls `act` at once, and again after at least `apartMs`: calls in between become one */
export function spaced(apartMs: number, act: () => void): () => void {
  let waits = false
  let last = 0
  return () => {
    if (waits) return
    waits = true
    const wait = Math.max(0, last + apartMs - performance.now())
    setTimeout(() => {
      waits = false
      last = performance.now()
      act()
    }, wait).unref()
  }
}

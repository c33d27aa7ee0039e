import type { Worker } from 'node:worker_threads'
import type { Kind } from '#catalog/kinds.ts'
import { Thread } from '#threads/thread.ts'
import type { AnalystHandlers, AnalystPushes } from '../analyst/worker.ts'
import type { WriterStatus } from '../writer/status.ts'
import type { Notices } from './notices.ts'

/** Shortest time between two wake-ups of the analyst, which then analyses all new arrivals. */
const WAKE_MS = 10
/** Shortest time between two refreshes of lists while many deliveries are analysed again. */
const TELL_MS = 1_000

export interface AnalysisParts {
  readonly start: () => Worker
  readonly notices: Notices
  readonly writer: () => WriterStatus
  /** The last id that the log assigned. */
  readonly last: () => number
  readonly maskedNames: () => readonly string[]
  /** Restored deliveries have been analysed, so cached lists are void. */
  restored(): void
  damaged(): void
  ended(): void
}

/** The analyst thread, and the requests to it. Failed calls need no retry: the next analyst finds deletions and restorations by itself. */
export class Analysis {
  readonly #parts: AnalysisParts
  readonly #analyst: Thread<AnalystHandlers, AnalystPushes>
  #upto = 0
  #waking: NodeJS.Timeout | undefined
  /** Restored deliveries: in calls to the analyst, and in its queue. */
  #unheard = 0
  #pending = 0
  #toldAt = 0
  #forgotten: Promise<unknown> = Promise.resolve()

  constructor(parts: AnalysisParts) {
    this.#parts = parts
    this.#analyst = new Thread({
      start: parts.start,
      name: 'The thread that analyses',
      onEnd: () => parts.ended(),
      pushes: {
        judged: (batch) => this.#judged(batch),
        rejudged: (pending) => this.#rejudged(pending),
        caughtUp: (upto) => this.#caughtUp(upto),
        derivedLost: () => parts.damaged(),
      },
    })
  }

  /** Deliveries that wait for analysis. While some do, this is an upper bound, as ids may have gaps. */
  get unjudged(): number {
    const { highestId, stored } = this.#parts.writer()
    return Math.max(0, Math.min(stored, highestId - this.#upto + this.#restoredWaiting))
  }

  /** Resolves when derived.db has followed all deletions so far, which the analyst handles in order. */
  get forgotten(): Promise<unknown> {
    return this.#forgotten
  }

  /** Opens the databases. @throws AcuseError when they cannot be opened at the moment */
  async open(paths: Parameters<AnalystHandlers['open']>[0]): Promise<void> {
    this.#upto = await this.#analyst.call.open(paths, this.#parts.maskedNames())
    this.wake()
  }

  async release(): Promise<void> {
    if (this.#analyst.running) await this.#analyst.call.release().catch(() => undefined)
  }

  async close(): Promise<void> {
    clearTimeout(this.#waking)
    await this.#analyst.close()
  }

  /** Call when a fresh, empty database has taken over. */
  restart(): void {
    this.#upto = 0
  }

  arrived(): void {
    this.#waking ??= setTimeout(() => this.wake(), WAKE_MS).unref()
  }

  wake(): void {
    this.#waking = undefined
    const { writer, maskedNames, last } = this.#parts
    this.#analyst.tell.wake(writer().highestId, maskedNames(), last())
  }

  deleted(ids: readonly number[], deletion: number): void {
    this.#forgotten = this.#analyst.call.forget(ids, deletion).catch(() => undefined)
  }

  restored(ids: readonly number[], restoration: number): void {
    // Sends the current masked names first.
    this.wake()
    this.#unheard += ids.length
    this.#analyst.call
      .restore(ids, restoration)
      .catch(() => undefined)
      .finally(() => {
        this.#unheard -= ids.length
        if (this.#unheard === 0) this.#parts.notices.countsChanged()
      })
  }

  revisit(from: number): void {
    this.wake()
    this.#analyst.call.revisit(from).catch(() => undefined)
  }

  /** Resets the profiles of some kinds. @returns ids of deliveries that had shown a drift */
  relearn(kinds: readonly Kind[]): Promise<readonly number[]> {
    return this.#analyst.call.relearn(kinds)
  }

  /** Resolves when all deliveries stored at the call are analysed, or after `timeoutMs`. @returns how many still wait */
  async settled(timeoutMs: number): Promise<number> {
    const target = this.#parts.writer().highestId
    const done = () => this.#upto >= target && this.#restoredWaiting === 0
    if (!done()) await this.#parts.notices.until(done, timeoutMs)
    // Later arrivals do not count.
    return done() ? 0 : this.unjudged
  }

  #judged({ firstId, lastId, drifted }: Parameters<AnalystPushes['judged']>[0]): void {
    const { notices } = this.#parts
    this.#upto = lastId
    notices.send({ type: 'judged', firstId, lastId })
    if (drifted.length > 0) notices.send({ type: 'drifted', kinds: drifted })
    notices.countsChanged()
  }

  /** Until its analysis a restored delivery has no kind and no verdict, so lists and counts cached before are void. */
  #rejudged(pending: number): void {
    const before = this.#pending
    this.#pending = pending
    if (pending >= before) return
    const now = performance.now()
    if (pending > 0 && now - this.#toldAt < TELL_MS) return
    this.#toldAt = now
    this.#parts.restored()
  }

  #caughtUp(upto: number): void {
    if (upto <= this.#upto) return
    this.#upto = upto
    this.#parts.notices.stateChanged()
  }

  get #restoredWaiting(): number {
    return this.#unheard + this.#pending
  }
}

import type { Job, JobStall } from '#contract/replay.ts'
import { Lane, type Workshop } from './lane.ts'
import type { Parcel, Source } from './outbox.ts'
import type { Item, ItemEnd, JobRecord, LaneCounts, Outcome } from './ports.ts'
import { failureOf, isSuccess } from './statuses.ts'

export class JobRun implements Source {
  readonly #shop: Workshop
  readonly #lane: Lane
  readonly #rate = new RecentRate()
  readonly #over: () => void
  #record: JobRecord
  #abort = new AbortController()
  #unrecorded = 0
  /** Why the disk could not record an attempt; null since it last could. */
  #refusedFor: string | null = null
  #errorDue = false

  /** @param over called once the job has ended and no attempt is in flight */
  constructor(record: JobRecord, shop: Workshop, over: () => void) {
    this.#record = record
    this.#shop = shop
    this.#over = over
    this.#lane = new Lane(record.id, record.options, shop, () => shop.changes.job(record.id))
  }

  view(): Job {
    const message = this.#refusedFor ?? this.#lane.stall
    const stall = message === null ? null : ({ code: 'storage', message } as const)
    return jobView(this.#record, this.#lane.shown, this.#rate.perSecond(this.#shop.now()), stall)
  }

  get inFlight(): number {
    return this.#lane.scheduler.inFlight
  }

  /** Call it after ended attempts are on disk. */
  run(): void {
    if (this.#abort.signal.aborted) this.#abort = new AbortController()
    this.#lane.scheduler.reread()
    this.#lane.scheduler.resume()
    this.#change({ state: 'running', pausedBy: null, endedAt: null })
    this.#shop.outbox.add(this)
  }

  pause(by: 'user' | 'restart'): void {
    this.#lane.scheduler.pause()
    this.#change({ state: 'paused', pausedBy: by })
    this.#check()
  }

  /** Aborts requests in flight and discards waiting entries. */
  cancel(): void {
    this.#lane.scheduler.pause()
    this.#change({ state: 'cancelled', pausedBy: null, endedAt: this.#shop.now() })
    this.#shop.outbox.flush()
    this.#shop.ledger.clearWaiting(this.#record.id)
    this.#lane.scheduler.reread()
    this.#abort.abort()
    this.#check()
  }

  begin(now: number): readonly Parcel[] {
    if (!this.#lane.hasRoom(now)) return []
    const parcels = this.#lane.draw(now, Number.POSITIVE_INFINITY, (item) => ({
      origin: { by: 'job', job: this.#record.id },
      to: this.#record.options.to,
      signal: this.#abort.signal,
      settle: (outcome) => this.#settle(item, outcome),
      recorded: () => {
        this.#refusedFor = null
        this.#unrecorded -= 1
        this.#shop.changes.job(this.#record.id)
        this.#check()
      },
      unrecorded: (error) => this.#refused(error),
      returned: (error) => {
        this.#lane.scheduler.back(item)
        this.#refused(error)
      },
    }))
    if (parcels.length === 0) this.#check()
    return parcels
  }

  wakeAt(now: number): number | null {
    return this.#lane.wakeAt(now)
  }

  #refused({ message }: Error): void {
    this.#refusedFor = message
    this.#shop.changes.job(this.#record.id)
  }

  #settle(item: Item, outcome: Outcome): { readonly ok: boolean; readonly end: ItemEnd } {
    const { scheduler } = this.#lane
    const now = this.#shop.now()
    // A sent attempt was recorded.
    this.#refusedFor = null
    const ok = isSuccess(outcome, this.#record.options.failures)
    const cancelled = this.#record.state === 'cancelled'
    const end = cancelled ? (ok ? 'done' : 'failed') : scheduler.ended(item, ok, now)
    if (cancelled) scheduler.drop(item)
    this.#unrecorded += 1
    if (end !== 'waiting') this.#rate.add(now)
    const failure = ok || cancelled ? null : failureOf(outcome)
    if (failure) this.#failedWith(failure)
    return { ok, end }
  }

  #failedWith(lastError: NonNullable<JobRecord['lastError']>): void {
    const known = this.#record.lastError?.code === lastError.code
    this.#record = { ...this.#record, lastError }
    // Written only when the code changes, since each write costs as much as an attempt, and later, since this must not fail.
    if (!known) this.#errorDue = true
  }

  #check(): void {
    const { scheduler } = this.#lane
    if (this.#errorDue) this.#change({})
    if (this.#record.state === 'running' && !scheduler.running) this.#change({ state: 'stopped' })
    if (this.#unrecorded > 0 || scheduler.inFlight > 0) return
    const { state } = this.#record
    // While the last attempt is in flight, a job may be paused or reach its failure limit; then nothing is left to resume.
    const over =
      state === 'running'
        ? scheduler.idle
        : state !== 'done' && state !== 'cancelled' && this.#lane.counts.waiting === 0
    if (over) this.#change({ state: 'done', pausedBy: null, endedAt: this.#shop.now() })
    else if (state === 'running') return
    this.#shop.outbox.remove(this)
    this.#over()
  }

  #change(change: Partial<Pick<JobRecord, 'state' | 'pausedBy' | 'endedAt'>>): void {
    this.#record = this.#shop.ledger.changeJob(this.#record.id, {
      lastError: this.#record.lastError,
      ...change,
    })
    this.#errorDue = false
    this.#shop.changes.job(this.#record.id)
  }
}

/** @param rate attempts finished per second */
export function jobView(record: JobRecord, counts: LaneCounts, rate: number, stall: JobStall | null): Job {
  const left = counts.waiting + counts.sending
  const running = record.state === 'running'
  return {
    ...record,
    total: counts.total,
    done: counts.done,
    failed: counts.failed,
    inFlight: counts.sending,
    uncertain: counts.uncertain,
    rate: running ? Math.round(rate * 10) / 10 : 0,
    etaMs: running && rate > 0 ? Math.round((left / rate) * 1_000) : null,
    stall: running ? stall : null,
  }
}

const SLOT_MS = 250
const SLOTS = 20

/** Events per second over the last seconds, or since the first event. */
export class RecentRate {
  readonly #slots = new Map<number, number>()
  #since: number | undefined

  add(now: number): void {
    this.#since ??= now
    const slot = Math.floor(now / SLOT_MS)
    this.#slots.set(slot, (this.#slots.get(slot) ?? 0) + 1)
    this.#forget(slot)
  }

  perSecond(now: number): number {
    this.#forget(Math.floor(now / SLOT_MS))
    if (this.#since === undefined) return 0
    const window = Math.max(SLOT_MS, Math.min(SLOTS * SLOT_MS, now - this.#since))
    let count = 0
    for (const one of this.#slots.values()) count += one
    return (count * 1_000) / window
  }

  #forget(present: number): void {
    for (const slot of this.#slots.keys()) {
      if (slot > present - SLOTS) break
      this.#slots.delete(slot)
    }
  }
}

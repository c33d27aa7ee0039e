import type { Params } from '#contract/commands.ts'
import { type AcuseError, refused } from '#contract/errors.ts'
import type { Job, JobOptions, JobPreview, JobStall, ReplaySource } from '#contract/replay.ts'
import { Lane, type Workshop } from './lane.ts'
import type { Parcel, Source } from './outbox.ts'
import type { Item, ItemEnd, JobRecord, LaneCounts, Outcome } from './ports.ts'
import { failureOf, isSuccess } from './statuses.ts'

type Run = Params<'jobs.start'>
const TARGET = 'options.to.target'

const PREVIEW_MS = 150

export class Jobs {
  readonly #shop: Workshop
  readonly #runs = new Map<number, JobRun>()

  constructor(shop: Workshop) {
    this.#shop = shop
  }

  /** Returns after at most PREVIEW_MS what was found so far; the caller asks again for the rest. */
  async preview({ source, options }: Run): Promise<JobPreview> {
    const { ledger, turn } = this.#shop
    const selecting = ledger.select(source, options.include)
    const until = performance.now() + PREVIEW_MS
    let done = selecting.step()
    while (!done && performance.now() < until) {
      await turn()
      done = selecting.step()
    }
    const { spanUs, ...selected } = selecting.selected
    const seconds = leastSeconds(selected.count, spanUs, options)
    return { ...selected, seconds, ...(done ? {} : { searching: selecting.progress() }) }
  }

  /** @throws AcuseError `not-found` for an unknown target, `conflict` when nothing would be sent */
  async start({ source, options }: Run): Promise<Job> {
    this.#shop.parcels.demandTarget(options.to.target, TARGET)
    const record = await this.#make(source, options)
    if (this.#shop.ledger.counts(record.id).total === 0) {
      this.#shop.ledger.removeJob(record.id)
      throw refused('conflict', 'nothing-to-send', { path: pathOf(source) })
    }
    return this.#run(record)
  }

  async #make(source: ReplaySource, options: JobOptions): Promise<JobRecord> {
    const { ledger, now, turn } = this.#shop
    const selecting = ledger.select(source, options.include)
    while (!selecting.step()) await turn()
    const made = ledger.newJob(selecting, source, options, now())
    try {
      for (;;) {
        const record = made.step()
        if (record) return record
        await turn()
      }
    } catch (error) {
      made.abandon()
      throw error
    }
  }

  /** Newest first. */
  list(): readonly Job[] {
    return this.#shop.ledger.jobs().map((record) => this.#view(record))
  }

  get(id: number): Job {
    return this.#view(this.#find(id))
  }

  pause(id: number): Job {
    const record = this.#find(id)
    if (record.state === 'done' || record.state === 'cancelled') throw over(record)
    this.#runOf(record).pause('user')
    return this.get(id)
  }

  resume(id: number): Job {
    const record = this.#find(id)
    if (record.state === 'done' || record.state === 'cancelled') throw over(record)
    if (record.state === 'running' && this.#runs.has(id)) return this.get(id)
    this.#shop.parcels.demandTarget(record.options.to.target, TARGET)
    return this.#run(record)
  }

  cancel(id: number): Job {
    const record = this.#find(id)
    if (record.state === 'done') throw over(record)
    if (record.state !== 'cancelled') this.#runOf(record).cancel()
    return this.get(id)
  }

  retryFailed(id: number): Job {
    const record = this.#find(id)
    this.#shop.parcels.demandTarget(record.options.to.target, TARGET)
    if (record.state === 'cancelled' && (this.#runs.get(id)?.inFlight ?? 0) > 0)
      throw refused('conflict', 'job-ending', { id })
    this.#shop.outbox.flush()
    if (this.#shop.ledger.requeueFailed(id) === 0) throw refused('conflict', 'nothing-failed', { id })
    return this.#run(this.#find(id))
  }

  remove(id: number): { readonly removed: number } {
    const record = this.#find(id)
    if (record.state === 'running' || (this.#runs.get(id)?.inFlight ?? 0) > 0)
      throw refused('conflict', 'job-running', { id })
    this.#runs.delete(id)
    this.#shop.ledger.removeJob(id)
    this.#shop.changes.job(id)
    return { removed: id }
  }

  /** Pauses running jobs when the process ends. */
  rest(): void {
    for (const record of this.#shop.ledger.jobs())
      if (record.state === 'running') this.#runOf(record).pause('restart')
  }

  #run(record: JobRecord): Job {
    // Flush first: recorded outcomes may end a paused run, and a new one replaces it.
    this.#shop.outbox.flush()
    this.#runOf(record).run()
    return this.get(record.id)
  }

  #runOf(record: JobRecord): JobRun {
    const known = this.#runs.get(record.id)
    if (known) return known
    const run: JobRun = new JobRun(record, this.#shop, () => {
      if (this.#runs.get(record.id) === run) this.#runs.delete(record.id)
    })
    this.#runs.set(record.id, run)
    return run
  }

  #view(record: JobRecord): Job {
    return (
      this.#runs.get(record.id)?.view() ?? jobView(record, this.#shop.ledger.countsShown(record.id), 0, null)
    )
  }

  #find(id: number): JobRecord {
    const found = this.#shop.ledger.job(id)
    if (!found) throw refused('not-found', 'no-job', { id })
    return found
  }
}

/** Minimum duration, by rate limit and gaps, whichever is longer. */
function leastSeconds(count: number, spanUs: number, { ratePerSecond, gaps }: JobOptions): number | null {
  if (ratePerSecond === null && gaps === null) return null
  const byRate = ratePerSecond === null ? 0 : Math.max(0, count - 1) / ratePerSecond
  return Math.max(byRate, (spanUs / 1_000_000) * (gaps ?? 0))
}

const pathOf = (source: ReplaySource): string =>
  `source.${source.type === 'document' ? 'documentId' : source.type}`

const over = ({ id, state }: JobRecord): AcuseError =>
  refused('conflict', state === 'done' ? 'job-done' : 'job-cancelled', { id })

class JobRun implements Source {
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
    this.#rate.begin(this.#shop.now())
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
/** Events that count however long ago they were: of slow work too few end within the last seconds. */
const LEAST = 8

/** Events per second over the last seconds, over the last events, or since the work began or went on. */
export class RecentRate {
  readonly #slots = new Map<number, number>()
  #count = 0
  #since: number | undefined

  /** Call it before the first event's work begins: slow work that ends together is not a burst. */
  begin(now: number): void {
    this.#slots.clear()
    this.#count = 0
    this.#since = now
  }

  add(now: number): void {
    const slot = Math.floor(now / SLOT_MS)
    this.#slots.set(slot, (this.#slots.get(slot) ?? 0) + 1)
    this.#count += 1
    this.#forget(slot)
  }

  perSecond(now: number): number {
    this.#forget(Math.floor(now / SLOT_MS))
    if (this.#since === undefined) return 0
    return (this.#count * 1_000) / Math.max(SLOT_MS, now - this.#since)
  }

  /** Forgets what is old, and with it the time until then. */
  #forget(present: number): void {
    for (const [slot, count] of this.#slots) {
      const over = Math.min(count, this.#count - LEAST)
      if (slot > present - SLOTS || over <= 0) break
      this.#count -= over
      this.#slots.set(slot, count - over)
      if (over < count) break
      this.#slots.delete(slot)
      this.#since = (slot + 1) * SLOT_MS
    }
  }
}

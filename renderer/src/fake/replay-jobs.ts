import { AcuseError } from '#contract/errors.ts'
import {
  type Exclusion,
  type Job,
  type JobFailure,
  type JobOptions,
  type JobPreview,
  jobSource,
  type ReplaySource,
} from '#contract/replay.ts'

/** What a source selects in the fake store. */
export interface FakeSelected {
  readonly ids: readonly number[]
  readonly excluded: JobPreview['excluded']
  readonly bytes: number
  readonly oldest: number | null
  readonly newest: number | null
}
export interface FakeJobWork {
  select(source: ReplaySource, include: JobOptions['include']): FakeSelected
  /** @returns what made it a failure; null for a success */
  send(delivery: number, job: Job): JobFailure | null
  /** Tells the window. */
  changed(jobs: readonly Job[], deliveries: readonly number[]): void
}

const TICK_MS = 100

/** Jobs that go forward by `perTick` deliveries at every tick; 0 lets them stand still. */
export class FakeJobs {
  perTick = 4
  /** How far the search for what would be sent is; null: at its end. */
  searching: JobPreview['searching'] | null = null
  readonly #work: FakeJobWork
  readonly #waiting = new Map<number, number[]>()
  readonly #failed = new Map<number, number[]>()
  readonly #jobs: Job[] = []
  #timer: ReturnType<typeof setInterval> | undefined
  #lastId = 0

  constructor(work: FakeJobWork) {
    this.#work = work
  }

  preview(source: ReplaySource, options: JobOptions): JobPreview {
    const { ids, ...rest } = this.#work.select(source, options.include)
    const byRate = options.ratePerSecond === null ? null : ids.length / options.ratePerSecond
    const span = rest.oldest === null || rest.newest === null ? 0 : (rest.newest - rest.oldest) / 1_000_000
    const byGaps = options.gaps === null ? null : span * options.gaps
    const seconds = byRate === null && byGaps === null ? null : Math.max(byRate ?? 0, byGaps ?? 0)
    return { count: ids.length, ...rest, seconds, ...(this.searching ? { searching: this.searching } : {}) }
  }

  start(source: ReplaySource, options: JobOptions): Job {
    const { ids } = this.#work.select(source, options.include)
    if (ids.length === 0) throw new AcuseError('conflict', 'Nothing would be sent.')
    this.#lastId += 1
    const job: Job = {
      id: this.#lastId,
      source: jobSource(source),
      options,
      state: 'running',
      pausedBy: null,
      createdAt: Date.now(),
      endedAt: null,
      total: ids.length,
      done: 0,
      failed: 0,
      inFlight: 0,
      uncertain: 0,
      rate: 0,
      etaMs: null,
      lastError: null,
      stall: null,
    }
    this.#jobs.unshift(job)
    this.#waiting.set(job.id, [...ids])
    this.#failed.set(job.id, [])
    this.#run()
    return job
  }

  list(): readonly Job[] {
    return this.#jobs
  }

  get(id: number): Job {
    const job = this.#jobs.find((one) => one.id === id)
    if (!job) throw new AcuseError('not-found', `There is no job ${id}.`)
    return job
  }

  /** Changes a job as tests want it, and tells the window. */
  set(id: number, change: Partial<Job>): Job {
    const job = { ...this.get(id), ...change }
    this.#jobs.splice(
      this.#jobs.findIndex((one) => one.id === id),
      1,
      job,
    )
    this.#work.changed([job], [])
    if (job.state === 'running') this.#run()
    return job
  }

  retryFailed(id: number): Job {
    const again = this.#failed.get(id) ?? []
    this.#waiting.get(id)?.push(...again)
    this.#failed.set(id, [])
    return this.set(id, { state: 'running', failed: 0, endedAt: null })
  }

  remove(id: number): number {
    if (this.get(id).state === 'running') throw new AcuseError('conflict', 'This job runs; cancel it first.')
    this.#jobs.splice(
      this.#jobs.findIndex((one) => one.id === id),
      1,
    )
    return 1
  }

  #run(): void {
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS)
  }

  #tick(): void {
    const running = this.#jobs.filter((job) => job.state === 'running')
    if (running.length === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
      return
    }
    const sent: number[] = []
    const now = running.map((job) => {
      let { done, failed, lastError } = job
      const waiting = this.#waiting.get(job.id) ?? []
      for (const delivery of waiting.splice(0, this.perTick)) {
        sent.push(delivery)
        const failure = this.#work.send(delivery, job)
        if (failure === null) done += 1
        else {
          lastError = failure
          failed += 1
          this.#failed.get(job.id)?.push(delivery)
        }
      }
      const rate = this.perTick * (1_000 / TICK_MS)
      const over = waiting.length === 0
      const stopped = job.options.stopAfterFailures !== null && failed >= job.options.stopAfterFailures
      const next: Job = {
        ...job,
        done,
        failed,
        lastError,
        inFlight: over || stopped ? 0 : Math.min(job.options.concurrency, waiting.length),
        rate: over || stopped ? 0 : rate,
        etaMs: over || stopped || rate === 0 ? null : (waiting.length / rate) * 1_000,
        state: over ? 'done' : stopped ? 'stopped' : 'running',
        endedAt: over ? Date.now() : null,
      }
      this.#jobs.splice(this.#jobs.indexOf(job), 1, next)
      return next
    })
    if (this.perTick > 0) this.#work.changed(now, sent)
  }
}

/** Why a delivery would be left out; null when it would be sent. */
export function exclusionOf(
  row: { readonly malformed: unknown; readonly rejected: boolean; readonly marks: readonly string[] },
  include: JobOptions['include'],
): Exclusion | null {
  if (row.malformed !== null) return 'malformed'
  if (row.rejected && !include.includes('rejected')) return 'rejected'
  return row.marks.includes('replay') && !include.includes('replay') ? 'replay' : null
}

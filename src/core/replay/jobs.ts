import type { Params } from '#contract/commands.ts'
import { type AcuseError, refused } from '#contract/errors.ts'
import type { Job, JobOptions, JobPreview, ReplaySource } from '#contract/replay.ts'
import { JobRun, jobView } from './job-run.ts'
import type { Workshop } from './lane.ts'
import type { JobRecord } from './ports.ts'

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

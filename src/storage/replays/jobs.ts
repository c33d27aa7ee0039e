import { refused } from '#contract/errors.ts'
import {
  type JobFailure,
  type JobOptions,
  type JobSource,
  jobSource,
  type ReplaySource,
} from '#contract/replay.ts'
import { JOB_STATES } from '#contract/values.ts'
import type { JobRecord } from '#core/replay/ports.ts'
import { numberOrNull, Queries, sql } from '../sql/connection.ts'

type Change = Partial<Pick<JobRecord, 'state' | 'pausedBy' | 'endedAt' | 'lastError'>>

/** The jobs, cached: they are few, read several times a second, and written only by this class. */
export class Jobs extends Queries {
  #known: Map<number, JobRecord> | undefined

  list(): readonly JobRecord[] {
    return [...this.#all().values()].toReversed()
  }

  find(id: number): JobRecord | undefined {
    return this.#all().get(id)
  }

  add(lane: number, source: ReplaySource, options: JobOptions, createdAt: number): JobRecord {
    const record: JobRecord = {
      id: lane,
      source: jobSource(source),
      options,
      state: 'paused',
      pausedBy: null,
      createdAt,
      endedAt: null,
      lastError: null,
      imported: false,
    }
    const all = this.#all()
    this.db.insert('INTO job', {
      lane,
      source: JSON.stringify(record.source),
      options: JSON.stringify(options),
      state: record.state,
      createdAt,
    })
    all.set(lane, record)
    return record
  }

  /** @throws AcuseError `not-found` */
  change(id: number, change: Change): JobRecord {
    const all = this.#all()
    const present = all.get(id)
    if (!present) throw refused('not-found', 'no-job', { id })
    const record = { ...present, ...change }
    const { state, pausedBy, endedAt } = record
    const lastError = record.lastError && JSON.stringify(record.lastError)
    this.db.update('job', { state, pausedBy, endedAt, lastError }, sql`lane = ${id}`)
    all.set(id, record)
    return record
  }

  remove(id: number): void {
    this.db.run`DELETE FROM job WHERE lane = ${id}`
    this.#all().delete(id)
  }

  /** Pauses jobs that were running, or not yet started, when a former process ended. */
  pauseLeft(): void {
    for (const { id, state, pausedBy } of this.list())
      if (state === 'running' || (state === 'paused' && pausedBy === null))
        this.change(id, { state: 'paused', pausedBy: 'restart' })
  }

  forget(): void {
    this.#known = undefined
  }

  #all(): Map<number, JobRecord> {
    if (this.#known) return this.#known
    const rows = this.db.all`SELECT * FROM job ORDER BY lane`
    this.#known = new Map(rows.map((row) => [Number(row.lane), jobRecord(row)]))
    return this.#known
  }
}

/** `Jobs` wrote the JSON in these columns. @throws SyntaxError for a row of another writer */
export function jobRecord(row: Readonly<Record<string, unknown>>): JobRecord {
  return {
    id: Number(row.lane),
    source: JSON.parse(String(row.source)) as JobSource,
    options: JSON.parse(String(row.options)) as JobOptions,
    state: JOB_STATES.find((known) => known === row.state) ?? 'paused',
    pausedBy: row.paused_by === 'user' || row.paused_by === 'restart' ? row.paused_by : null,
    createdAt: Number(row.created_at),
    endedAt: numberOrNull(row.ended_at),
    lastError: row.last_error === null ? null : (JSON.parse(String(row.last_error)) as JobFailure),
    imported: row.imported === 1,
  }
}

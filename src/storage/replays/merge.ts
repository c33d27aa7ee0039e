import { AcuseError } from '#contract/errors.ts'
import { attemptDetail, job as jobSchema } from '#contract/replay.ts'
import type { SessionParts } from '#contract/transfer.ts'
import { jobView } from '#core/replay/jobs.ts'
import { asBuffer } from '../body/stored-body.ts'
import { failureOf } from '../disk/files.ts'
import { Queries, type SqlRow, type Statements } from '../sql/connection.ts'
import { AttemptReader, stateNumber } from './attempts.ts'
import type { Bodies } from './bodies.ts'
import { jobRecord } from './jobs.ts'
import { Lanes } from './lanes.ts'

/** Ids of deliveries of a session file, with the ids that they have here. */
export type SessionLinks = ReadonlyMap<number, number>
export type MergedAs = keyof SessionParts['jobs']
/** Nothing larger is read into memory. */
const MOST_BYTES = 256 * 1024 * 1024

export interface MergedAttempts {
  readonly attempts: Readonly<Record<MergedAs, number>>
  /** By the id in the file. */
  readonly jobs: ReadonlyMap<number, MergedAs>
  /** Ids here of the jobs that are new. */
  readonly newJobs: readonly number[]
}

interface MergeParts {
  readonly into: Statements
  readonly bodies: Bodies
  /** The id of the forward of a name. */
  forward(name: string): number
  nextId(): number
}

/**
 * Takes attempts and their jobs over from a session file, which may come from anyone: only what the contract allows enters. An attempt is
 * known when its delivery has one that began in the same microsecond, and a job when one was made in the same millisecond: masking keeps
 * both. Call in a transaction.
 */
export class AttemptMerge extends Queries {
  readonly #to: MergeParts
  readonly #reader: AttemptReader
  readonly #jobs = new Map<number, { readonly as: MergedAs; readonly ours: number }>()

  /** @param from the file's */
  constructor(from: Statements, to: MergeParts) {
    super(from)
    this.#to = to
    this.#reader = new AttemptReader(from)
  }

  run(links: SessionLinks): MergedAttempts {
    const attempts = { taken: 0, known: 0, leftOut: 0 }
    for (const [theirs, ours] of links) {
      const began = this.#to.into.numbers`SELECT started_at FROM attempt WHERE delivery_id = ${ours}`
      for (const id of this.db.numbers`SELECT id FROM attempt WHERE delivery_id = ${theirs} ORDER BY id`)
        attempts[this.#safely(() => this.#attempt(id, ours, began))] += 1
    }
    const jobs = [...this.#jobs]
    return {
      attempts,
      jobs: new Map(jobs.map(([id, { as }]) => [id, as])),
      newJobs: jobs.flatMap(([, { as, ours }]) => (as === 'taken' ? ours : [])),
    }
  }

  /** A damaged row, or one that the tables refuse, is left out like one that breaks a rule of the contract. */
  #safely(work: () => MergedAs): MergedAs {
    try {
      return work()
    } catch (error) {
      if (error instanceof AcuseError || failureOf(error) === 'unavailable') throw error
      return 'leftOut'
    }
  }

  /** @param began when the attempts here began that are not yet recognised */
  #attempt(id: number, deliveryId: number, began: number[]): MergedAs {
    const { into, bodies, forward, nextId } = this.#to
    const row = this.db.one`SELECT * FROM attempt WHERE id = ${id}
      AND octet_length(headers) + coalesce(octet_length(answer_headers), 0) <= ${MOST_BYTES}`
    const read = attemptDetail.safeParse(row && this.#reader.get(id, true))
    if (!row || !read.success) return 'leftOut'
    const { origin, startedAt, state } = read.data
    const job = origin.by === 'job' ? this.#job(origin.job) : null
    if (job?.as === 'leftOut') return 'leftOut'
    const known = began.indexOf(startedAt)
    if (known >= 0) {
      began.splice(known, 1)
      return 'known'
    }
    const bodyOf = (bodyId: unknown) => {
      if (bodyId === null) return null
      const bytes = this.db
        .value`SELECT bytes FROM body WHERE id = ${Number(bodyId)} AND octet_length(bytes) <= ${MOST_BYTES}`
      if (bytes === undefined) throw new Error('a body is missing or too large')
      return asBuffer(bytes)
    }
    const [edited, answer] = [bodyOf(row.edited_body), bodyOf(row.answer_body)]
    into.insert('INTO attempt', {
      ...row,
      ...{ id: nextId(), delivery_id: deliveryId, job: job?.ours ?? null },
      forward: origin.by === 'forward' ? forward(origin.forward) : null,
      // It was in progress when the file was written.
      state: state === 'sending' ? stateNumber('uncertain') : stateNumber(state),
      ...{ edited_body: edited && bodies.keep(edited), answer_body: answer && bodies.keep(answer) },
      imported: 1,
    })
    return 'taken'
  }

  #job(id: number) {
    let job = this.#jobs.get(id)
    if (!job) {
      let ours = 0
      const as = this.#safely(() => {
        const found = this.db.one`SELECT * FROM job WHERE lane = ${id}`
        const [as, lane] = found ? this.#mergeJob(id, found) : (['leftOut', 0] as const)
        ours = lane
        return as
      })
      job = { as, ours }
      this.#jobs.set(id, job)
    }
    return job
  }

  #mergeJob(id: number, row: SqlRow): readonly [MergedAs, number] {
    const { into } = this.#to
    const read = jobSchema.safeParse(jobView(jobRecord(row), new Lanes(this.db).counts(id), 0, null))
    if (!read.success) return ['leftOut', 0]
    const { source, options, state, createdAt, endedAt, lastError, total, done, failed, uncertain } =
      read.data
    const [known] = into.numbers`SELECT lane FROM job WHERE created_at = ${createdAt}`
    if (known !== undefined) return ['known', known]
    // Its queue is not in the file, so it cannot continue here.
    const counts = { total, done, failed, dropped: Math.max(0, total - done - failed), uncertain }
    const lane = Number(into.insert('INTO lane', counts).lastInsertRowid)
    into.insert('INTO job', {
      ...{ lane, createdAt, endedAt },
      source: JSON.stringify(source.type === 'ids' ? { ...source, first: 0 } : source),
      options: JSON.stringify(options),
      state: state === 'done' ? state : 'cancelled',
      lastError: lastError && JSON.stringify(lastError),
      imported: 1,
    })
    return ['taken', lane]
  }
}

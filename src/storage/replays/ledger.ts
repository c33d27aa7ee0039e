import { dirname, join } from 'node:path'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { BodySlice } from '#contract/delivery.ts'
import { AcuseError, refused } from '#contract/errors.ts'
import type { JobOptions, ReplaySource } from '#contract/replay.ts'
import type { Filter } from '#core/filter/tree.ts'
import type { Ledger, NewAttempt, NewJob, Selecting } from '#core/replay/ports.ts'
import { allowOpening, TooLong } from '../body/opened.ts'
import { asBuffer, readSlice } from '../body/stored-body.ts'
import { closedOnFailure, words } from '../disk/files.ts'
import { ReservedIds } from '../disk/reserved-ids.ts'
import { shortageAt, withReserve } from '../disk/space.ts'
import { openReplays } from '../schema/replays.ts'
import { Attachment, createOptionalDatabase, MISSED, type OptionalDatabase } from '../sql/attached.ts'
import { rollBack, Statements, textOrNull } from '../sql/connection.ts'
import type { RecordOptions } from '../sql/open-own.ts'
import { AttemptReader, AttemptWriter } from './attempts.ts'
import { Bodies, Deletions } from './bodies.ts'
import { Forwards } from './forwards.ts'
import { Jobs } from './jobs.ts'
import { Lanes } from './lanes.ts'
import { AttemptMerge, type MergedAttempts, type SessionLinks } from './merge.ts'
import { Selections } from './selections.ts'
import { enqueue, Feeding } from './source.ts'
import { takeOver, Unsettled, type Work } from './unsettled.ts'

/** Entries to queue per transaction. */
const QUEUED_AT_ONCE = 2_048

/**
 * Opens replays.db for the thread that sends. Removes temporary forwards of a former process; call `recover` for its other leftovers.
 * A call that cannot read or write throws AcuseError `store-failed` and has no effect. @throws AcuseError `store-failed`, `newer-schema`
 */
export function openLedger(options: RecordOptions): SqliteLedger {
  const { paths, warn } = options
  return closedOnFailure(openReplays(paths.replays, warn), (db) => new SqliteLedger(db, options))
}

export class SqliteLedger implements Ledger {
  readonly #db: DatabaseSync
  readonly #statements: Statements
  readonly #captured: Attachment
  readonly #missed: OptionalDatabase
  readonly #lanes: Lanes
  readonly #jobs: Jobs
  readonly #forwards: Forwards
  readonly #bodies: Bodies
  readonly #writer: AttemptWriter
  readonly #reader: AttemptReader
  readonly #deletions: Deletions
  /** Ids of attempts must not repeat, as targets have seen them in X-Acuse-Replay. */
  readonly #reserved: ReservedIds
  #nextId: number
  readonly #beginWrite: StatementSync
  readonly #commitWrite: StatementSync
  readonly #unsettled: Unsettled
  readonly #selections: Selections
  readonly #feeding: Feeding
  readonly #folder: string
  #closed = false

  constructor(db: DatabaseSync, { paths, warn }: RecordOptions) {
    this.#db = db
    this.#folder = dirname(paths.replays)
    this.#statements = new Statements(db)
    const timeLimit = allowOpening(db, this.#statements)
    this.#selections = new Selections(this.#statements, timeLimit)
    this.#feeding = new Feeding(this.#statements, timeLimit)
    this.#beginWrite = db.prepare('BEGIN')
    this.#commitWrite = db.prepare('COMMIT')
    this.#captured = new Attachment(db, paths)
    this.#missed = createOptionalDatabase(db, paths.sweeps, MISSED)
    this.#lanes = new Lanes(this.#statements)
    this.#jobs = new Jobs(this.#statements)
    this.#forwards = new Forwards(this.#statements, this.#lanes)
    this.#bodies = new Bodies(this.#statements)
    this.#writer = new AttemptWriter(this.#statements, this.#lanes, this.#bodies, (name) =>
      this.#forwards.numberOf(name),
    )
    this.#reader = new AttemptReader(this.#statements)
    this.#deletions = new Deletions(this.#statements, this.#bodies)
    const transaction = (work: () => void) => this.#transaction(work)
    this.#unsettled = new Unsettled(this.#statements, paths, this.#writer, transaction, warn)
    const highest = this.#statements.number`SELECT max(id) FROM attempt`
    this.#reserved = new ReservedIds(join(this.#folder, 'reserved-attempt-ids'))
    this.#nextId = Math.max(highest, this.#reserved.ceiling) + 1
    this.#write(() => this.#forwards.removeTemporary())
  }

  select(source: ReplaySource, include: JobOptions['include']): Selecting {
    this.#attach()
    const found = this.#read(() => this.#selections.get(source, include, this.#captured.opened))
    return {
      step: () => {
        this.#attach()
        return this.#read(() => found.step())
      },
      get selected() {
        return found.selected
      },
      progress: () => this.#read(() => found.progress()),
      ids: (from, limit) => found.ids(from, limit),
    }
  }

  newJob(selecting: Selecting, source: ReplaySource, options: JobOptions, createdAt: number): NewJob {
    this.#attach()
    const lane = this.#write(() => this.#lanes.create())
    let at = 0
    return {
      step: () => {
        this.#attach()
        const ids = selecting.ids(at, QUEUED_AT_ONCE)
        at += ids.length
        return this.#write(() => {
          this.#lanes.added(lane, enqueue(this.#statements, lane, ids, options.include))
          return ids.length < QUEUED_AT_ONCE ? this.#jobs.add(lane, source, options, createdAt) : undefined
        })
      },
      abandon: () => this.#write(() => this.#lanes.remove(lane)),
    }
  }

  readonly jobs = this.#shows(() => this.#jobs.list())
  readonly job = this.#shows((id: number) => this.#jobs.find(id))
  readonly changeJob = this.#writes((...change: Parameters<Jobs['change']>) => this.#jobs.change(...change))
  readonly removeJob = this.#writes((id: number) => {
    this.#jobs.remove(id)
    this.#lanes.remove(id)
  })
  readonly counts = this.#reads((lane: number) => this.#lanes.counts(lane))
  readonly countsShown = this.#shows((lane: number) => this.#lanes.counts(lane))
  readonly waiting = this.#reads((...of: Parameters<Lanes['waiting']>) => this.#lanes.waiting(...of))
  readonly requeueFailed = this.#writes((lane: number) => this.#lanes.requeueFailed(lane))
  readonly clearWaiting = this.#writes((lane: number) => this.#lanes.clearWaiting(lane))
  readonly forwards = this.#reads(() => this.#forwards.list())
  readonly saveForward = this.#writes((...to: Parameters<Forwards['save']>) => this.#forwards.save(...to))
  readonly removeForward = this.#writes((name: string) => this.#forwards.remove(name))
  readonly forwardLanes = this.#reads(() => this.#forwards.lanes())
  readonly attempts = this.#reads((query: Parameters<AttemptReader['list']>[0]) => this.#reader.list(query))
  readonly attempt = this.#reads((id: number, reveal: boolean = false) => this.#reader.get(id, reveal))
  readonly recover = this.#writes(() => {
    this.#jobs.pauseLeft()
    return this.#writer.recover(this.#lanes.recover())
  })

  readonly reached = this.#reads((lane: number) => {
    const fed = this.#forwards.fedUpto(lane) ?? 0
    return { fed, settled: this.#lanes.before(lane) ?? fed }
  })
  readonly adopt = this.#writes((lane: number, upto: number) => {
    this.#lanes.empty(lane)
    this.#forwards.fed(lane, upto)
  })
  readonly doubt = this.#writes((attempt: NewAttempt) => this.#writer.doubt(attempt))

  feed(lane: number, filter: Filter, upto: number, skip: readonly number[] = []) {
    const after = this.#read(() => this.#forwards.fedUpto(lane))
    if (after === undefined || after >= upto) return { count: 0, done: true }
    this.#attach()
    return this.#feeding.timed(lane, (window) => {
      const to = Math.min(upto, after + window)
      return this.#write(() => {
        const count = this.#feeding.between(lane, filter, after, to, skip)
        if (count > 0) this.#lanes.added(lane, count)
        this.#forwards.fed(lane, to)
        return { count, done: to >= upto }
      })
    })
  }

  reserveIds(count: number): number {
    const first = this.#nextId
    refusing(() => this.#reserved.promise(first + count - 1))
    this.#nextId += count
    return first
  }

  commit(work: Work): void {
    if (work.ended.length + work.begun.length === 0) return
    // Ended attempts were sent, so their record may use the reserve; new ones can wait for space.
    if (work.ended.length > 0) withReserve(this.#folder, () => this.#commit(work))
    else this.#commit(work)
  }

  /** Takes over the attempts of deliveries in a session file, with their jobs. @param from the file's */
  merge(from: Statements, links: SessionLinks): MergedAttempts {
    const parts = {
      into: this.#statements,
      bodies: this.#bodies,
      forward: (name: string) => this.#forwards.numberOf(name),
      nextId: () => this.reserveIds(1),
    }
    const merged = this.#write(() => new AttemptMerge(from, parts).run(links))
    this.#jobs.forget()
    return merged
  }

  #commit(work: Work): void {
    if (refusing(() => this.#unsettled.take(work))) return
    this.#write(() => takeOver([work], this.#writer))
  }

  shortage(): string | null {
    return shortageAt(this.#folder)
  }

  settle(): void {
    refusing(() => this.#unsettled.settle())
  }

  attemptBody(id: number, of: 'request' | 'answer', from: number, length: number): BodySlice | undefined {
    const find = () =>
      this.#statements
        .one`SELECT delivery_id, edited_body, answer_body, body_size FROM attempt WHERE id = ${id}`
    const row = this.#read(find)
    if (!row) return undefined
    const kept = of === 'answer' ? row.answer_body : row.edited_body
    if (of === 'answer' || kept !== null)
      return sliceOf(this.#read(() => this.#bodies.slice(kept === null ? null : Number(kept), from, length)))
    return this.#deliveryBody(Number(row.delivery_id), Number(row.body_size), from, length)
  }

  followDeletions(): void {
    this.#attach()
    if (!this.#write(() => this.#deletions.due())) return
    let gone: readonly number[] = []
    do {
      gone = this.#read(() => this.#deletions.gone(gone.at(-1) ?? 0))
      this.#write(() => {
        for (const delivery of gone) this.#deletions.forget(delivery)
      })
    } while (gone.length > 0)
    this.#write(() => this.#deletions.settle())
    this.#unsettled.clear()
    this.#selections.clear()
  }

  /** Closes captured.db and derived.db. Until `reopenCaptured`, calls that need them throw AcuseError `store-failed`. */
  releaseCaptured(): void {
    this.#captured.hold()
  }

  reopenCaptured(): void {
    this.#captured.reopen()
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    try {
      this.#reserved.settle(this.#nextId - 1)
      this.#unsettled.settle()
    } finally {
      this.#unsettled.close()
      this.#db.close()
    }
  }

  #attach(): void {
    this.#captured.ensure()
    this.#missed.ensure()
  }

  #deliveryBody(id: number, size: number, from: number, length: number): BodySlice {
    this.#attach()
    return this.#read(() => {
      const row = this.#statements.one`SELECT upload FROM delivery WHERE id = ${id}`
      if (!row) return { bytesBase64: '', total: size, problem: 'The delivery was deleted.' }
      return sliceOf(readSlice(this.#statements, { id, upload: textOrNull(row.upload) }, from, length))
    })
  }

  #write<T>(work: () => T): T {
    this.#unsettled.settle()
    return this.#transaction(work)
  }

  /** Runs `work` in a transaction; a rollback also clears the caches of its parts. */
  #transaction<T>(work: () => T): T {
    return refusing(() => {
      try {
        this.#beginWrite.run()
        const result = work()
        this.#bodies.settle()
        this.#lanes.settle()
        this.#commitWrite.run()
        return result
      } catch (error) {
        rollBack(this.#db)
        for (const part of [this.#lanes, this.#jobs, this.#forwards, this.#bodies]) part.forget()
        throw error
      }
    })
  }

  /** Reads for display, even when the attempts in the log cannot be written: a full disk must not hide the jobs that wait for space. */
  #show<T>(work: () => T): T {
    try {
      this.#unsettled.settle()
    } catch {
      // The attempts wait in the log; calls that decide by them use `#read`, which throws.
    }
    return refusing(work)
  }

  #reads<A extends unknown[], R>(work: (...args: A) => R): (...args: A) => R {
    return (...args) => this.#read(() => work(...args))
  }

  #writes<A extends unknown[], R>(work: (...args: A) => R): (...args: A) => R {
    return (...args) => this.#write(() => work(...args))
  }

  #shows<A extends unknown[], R>(work: (...args: A) => R): (...args: A) => R {
    return (...args) => this.#show(() => work(...args))
  }

  #read<T>(work: () => T): T {
    this.settle()
    return refusing(work)
  }
}

const sliceOf = ({ bytes, total }: { bytes: Buffer; total: number }): BodySlice => ({
  bytesBase64: asBuffer(bytes).toString('base64'),
  total,
  problem: null,
})

function refusing<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof AcuseError || error instanceof TooLong) throw error
    const failure = refused('store-failed', 'replays-unusable', { system: words(error) })
    throw Object.assign(failure, { cause: error })
  }
}

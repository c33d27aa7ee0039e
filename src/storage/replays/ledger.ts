import { dirname } from 'node:path'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { BodySlice } from '#contract/delivery.ts'
import { AcuseError } from '#contract/errors.ts'
import type { Forward, JobOptions, ReplaySource } from '#contract/replay.ts'
import type { Filter } from '#core/filter/tree.ts'
import type { Ledger, NewJob, Selecting } from '#core/replay/ports.ts'
import { allowOpening, TooLong } from '../body/opened.ts'
import { asBuffer, readSlice } from '../body/stored-body.ts'
import { words } from '../disk/files.ts'
import { shortageAt, withReserve } from '../disk/space.ts'
import { openReplays } from '../schema/replays.ts'
import { rollBack, Statements } from '../sql/connection.ts'
import type { CapturedPaths, LedgerOnDisk, LedgerOptions } from './attachment.ts'
import { Attachment } from './attachment.ts'
import { AttemptIds } from './attempt-ids.ts'
import { AttemptReader, AttemptWriter } from './attempts.ts'
import { Bodies, Deletions } from './bodies.ts'
import { Forwards } from './forwards.ts'
import { Jobs } from './jobs.ts'
import { Lanes } from './lanes.ts'
import { Selections } from './selections.ts'
import { enqueue, Feeding } from './source.ts'
import type { Work } from './unsettled.ts'
import { takeOver, Unsettled } from './unsettled.ts'

/** Entries put into a queue in one commit. */
const QUEUED_AT_ONCE = 2_048

/**
 * Opens the attempts, jobs and queues of a data folder (replays.db), for the one thread that sends. Temporary forwards of a former
 * process are gone; everything else is as it was left: call `recover`. The deliveries are opened by the first call that needs them.
 *
 * Whatever cannot be written or read now is thrown as AcuseError `store-failed`, and nothing of that call is done.
 * @throws AcuseError `newer-schema`, `store-failed`
 */
export function openLedger(options: LedgerOptions): LedgerOnDisk {
  const now = options.now?.() ?? Date.now()
  const db = openReplays(options.paths.replays, now, options.warn)
  try {
    return new SqliteLedger(db, options, now)
  } catch (error) {
    db.close()
    throw error
  }
}

class SqliteLedger implements LedgerOnDisk {
  readonly #db: DatabaseSync
  readonly #statements: Statements
  readonly #captured: Attachment
  readonly #lanes: Lanes
  readonly #jobs: Jobs
  readonly #forwards: Forwards
  readonly #bodies: Bodies
  readonly #writer: AttemptWriter
  readonly #reader: AttemptReader
  readonly #deletions: Deletions
  readonly #ids: AttemptIds
  readonly #beginWrite: StatementSync
  readonly #commitWrite: StatementSync
  readonly #unsettled: Unsettled
  readonly #selections: Selections
  readonly #feeding: Feeding
  readonly #folder: string
  #closed = false

  constructor(db: DatabaseSync, { paths, warn }: LedgerOptions, now: number) {
    this.#db = db
    this.#folder = dirname(paths.replays)
    this.#statements = new Statements(db)
    const patience = allowOpening(db, this.#statements)
    this.#selections = new Selections(this.#statements, patience)
    this.#feeding = new Feeding(this.#statements, patience)
    this.#beginWrite = db.prepare('BEGIN')
    this.#commitWrite = db.prepare('COMMIT')
    this.#captured = new Attachment(db, paths, paths.sweeps)
    this.#lanes = new Lanes(this.#statements)
    this.#jobs = new Jobs(this.#statements)
    this.#forwards = new Forwards(this.#statements, this.#lanes)
    this.#bodies = new Bodies(this.#statements)
    this.#writer = new AttemptWriter(this.#statements, this.#lanes, this.#bodies, (name) =>
      this.#forwards.numberOf(name),
    )
    this.#reader = new AttemptReader(this.#statements)
    this.#deletions = new Deletions(this.#statements, this.#bodies)
    this.#unsettled = new Unsettled(
      paths.replays,
      this.#statements,
      this.#writer,
      (work) => this.#transaction(work),
      now,
      warn,
    )
    const highest = this.#statements.get('SELECT max(id) AS id FROM attempt').get()
    this.#ids = new AttemptIds(paths.replays, Number(highest?.id ?? 0))
    this.#write(() => this.#forwards.removeTemporary())
  }

  select(source: ReplaySource, include: JobOptions['include']): Selecting {
    this.#captured.ensure()
    const found = this.#read(() => this.#selections.get(source, include, this.#captured.opened))
    return {
      step: () => {
        this.#captured.ensure()
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
    this.#captured.ensure()
    const lane = this.#write(() => this.#lanes.create())
    let at = 0
    return {
      step: () => {
        this.#captured.ensure()
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

  jobs() {
    return this.#show(() => this.#jobs.list())
  }

  job(id: number) {
    return this.#show(() => this.#jobs.find(id))
  }

  changeJob(id: number, change: Parameters<Ledger['changeJob']>[1]) {
    return this.#write(() => this.#jobs.change(id, change))
  }

  removeJob(id: number): void {
    this.#write(() => {
      this.#jobs.remove(id)
      this.#lanes.remove(id)
    })
  }

  counts(lane: number) {
    return this.#read(() => this.#lanes.counts(lane))
  }

  countsShown(lane: number) {
    return this.#show(() => this.#lanes.counts(lane))
  }

  waiting(lane: number, afterSeq: number, limit: number) {
    return this.#read(() => this.#lanes.waiting(lane, afterSeq, limit))
  }

  requeueFailed(lane: number): number {
    return this.#write(() => this.#lanes.requeueFailed(lane))
  }

  clearWaiting(lane: number): number {
    return this.#write(() => this.#lanes.clearWaiting(lane))
  }

  forwards() {
    return this.#read(() => this.#forwards.list())
  }

  saveForward(previousName: string | undefined, forward: Forward, fedUpto: number): void {
    this.#write(() => this.#forwards.save(previousName, forward, fedUpto))
  }

  removeForward(name: string): void {
    this.#write(() => this.#forwards.remove(name))
  }

  forwardLanes() {
    return this.#read(() => this.#forwards.lanes())
  }

  feed(lane: number, filter: Filter, upto: number) {
    const after = this.#read(() => this.#forwards.fedUpto(lane))
    if (after === undefined || after >= upto) return { count: 0, done: true }
    this.#captured.ensure()
    return this.#feeding.timed(lane, (window) => {
      const to = Math.min(upto, after + window)
      return this.#write(() => {
        const count = this.#feeding.between(lane, filter, after, to)
        if (count > 0) this.#lanes.added(lane, count)
        this.#forwards.fed(lane, to)
        return { count, done: to >= upto }
      })
    })
  }

  reserveIds(count: number): number {
    return this.#ids.reserve(count)
  }

  commit(work: Work): void {
    if (work.ended.length + work.begun.length === 0) return
    // What has ended went out already; what is to begin can wait for room.
    if (work.ended.length > 0) withReserve(this.#folder, 'record', () => this.#commit(work))
    else this.#commit(work)
  }

  #commit(work: Work): void {
    try {
      if (this.#unsettled.take(work)) return
    } catch (error) {
      throw refusal(error)
    }
    this.#write(() => takeOver([work], this.#writer))
  }

  shortage(): string | null {
    return shortageAt(this.#folder)
  }

  settle(): void {
    try {
      this.#unsettled.settle()
    } catch (error) {
      throw refusal(error)
    }
  }

  recover(): number {
    return this.#write(() => {
      this.#jobs.pauseLeft()
      return this.#writer.recover(this.#lanes.recover())
    })
  }

  attempts(query: Parameters<Ledger['attempts']>[0]) {
    return this.#read(() => this.#reader.list(query))
  }

  attempt(id: number, reveal = false) {
    return this.#read(() => this.#reader.get(id, reveal))
  }

  attemptBody(id: number, of: 'request' | 'answer', from: number, length: number): BodySlice | undefined {
    const row = this.#read(() =>
      this.#statements
        .get('SELECT delivery_id, edited_body, answer_body, body_size FROM attempt WHERE id = ?')
        .get(id),
    )
    if (!row) return undefined
    const kept = of === 'answer' ? row.answer_body : row.edited_body
    if (of === 'answer' || kept !== null)
      return sliceOf(this.#read(() => this.#bodies.slice(kept === null ? null : Number(kept), from, length)))
    return this.#deliveryBody(Number(row.delivery_id), Number(row.body_size), from, length)
  }

  followDeletions(): void {
    this.#captured.ensure()
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

  releaseCaptured(): void {
    this.#captured.hold()
  }

  reopenCaptured(paths?: CapturedPaths): void {
    this.#captured.reopen(paths)
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    try {
      this.#ids.settle()
      this.#unsettled.settle()
    } finally {
      this.#unsettled.close()
      this.#db.close()
    }
  }

  #deliveryBody(id: number, size: number, from: number, length: number): BodySlice {
    this.#captured.ensure()
    return this.#read(() => {
      const row = this.#statements.get('SELECT upload FROM delivery WHERE id = ?').get(id)
      if (!row) return { bytesBase64: '', total: size, problem: 'The delivery was deleted.' }
      const place = { id, upload: typeof row.upload === 'string' ? row.upload : null }
      return sliceOf(readSlice(this.#statements, place, from, length))
    })
  }

  /** One transaction. */
  #write<T>(work: () => T): T {
    this.#unsettled.settle()
    return this.#transaction(work)
  }

  /** What is remembered of the database beside it is forgotten with what is rolled back. */
  #transaction<T>(work: () => T): T {
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
      throw refusal(error)
    }
  }

  /** What may be older than the attempts in the log: a full disk must not hide the jobs that wait for it. */
  #show<T>(work: () => T): T {
    try {
      this.#unsettled.settle()
    } catch {
      // Whoever decides by it is refused, and the attempts wait in the log.
    }
    try {
      return work()
    } catch (error) {
      throw refusal(error)
    }
  }

  #read<T>(work: () => T): T {
    try {
      this.#unsettled.settle()
      return work()
    } catch (error) {
      throw refusal(error)
    }
  }
}

const sliceOf = ({ bytes, total }: { bytes: Buffer; total: number }): BodySlice => ({
  bytesBase64: asBuffer(bytes).toString('base64'),
  total,
  problem: null,
})

function refusal(error: unknown): Error {
  if (error instanceof AcuseError || error instanceof TooLong) return error
  const refused = new AcuseError('store-failed', `The record of replays cannot be used: ${words(error)}.`)
  refused.cause = error
  return refused
}

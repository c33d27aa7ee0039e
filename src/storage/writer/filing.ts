import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { LogEntry, LogGap, LogReading, ReadableLog } from '#core/ports.ts'
import { numberIn, replaceFile } from '../disk/files.ts'
import { type MetaKey, readMeta, writeMeta } from '../sql/numbers.ts'
import { arrivalOf, KIND, OLD_HEAD, readMirrored, readOldHead, readPiece } from '../wire/record.ts'
import { follow } from './annotations.ts'
import type { Captured, Committed, Took } from './captured.ts'
import { disproveAbsence } from './coverage.ts'

/** Bytes to file per transaction: some hundred deliveries, so that pins and notes hardly wait. */
const SLICE_BYTES = 1024 * 1024

/** Longer than the log's interval of looking for segments that another program removed. */
const RESTORING_MS = 3_000

/** File beside the segments with the position up to which deliveries are filed, in case the database is lost. It may be out of date. */
const MARK = 'filed'

/** @param folder of a log @returns the position up to which its deliveries were ever filed */
export const filedIn = (folder: string): number => numberIn(join(folder, MARK))

/** Call when a database is gone for good: the next one gets everything that the log still has. */
export const forgetFiled = (folder: string): void => rmSync(join(folder, MARK), { force: true })

/** The log from which deliveries are filed. */
export interface Followed {
  readonly folder: string
  readonly identity: number
  /** Position up to which an earlier process received the records; it may have crashed. */
  readonly opened: number
  /** The last id that the earlier process assigned. */
  readonly lastId: number
}

/** Deliveries of one transaction: first and last id, and how many came from senders. */
export interface Filed extends Committed {
  readonly firstId: number
  readonly lastId: number
  readonly received: number
  /** Deliveries whose note, tags or pin a record of a shared log changed. */
  readonly annotated: readonly number[]
  /** Whether records of a shared log were left out, because others before them are missing. */
  readonly missed: boolean
  /** Ranges of lost records. */
  readonly gaps: readonly LogGap[]
}

/** Moves records from the log into captured.db. The same transaction saves the position, so that each record is filed exactly once. */
export class Filing {
  readonly #log: Followed
  readonly #source: ReadableLog
  #upTo = 0
  #reader: LogReading | undefined
  /** Position up to which the log is filed; undefined until it is read from the database. */
  #filed: number | undefined
  /** Position up to which the log was ever filed, in this database or in a former one that can be salvaged. */
  #reached: number
  #marked: number
  /** Records that could not be read: the position of the first, and when it was first tried (`performance.now()`). */
  #missing: { readonly from: number; readonly since: number } | undefined

  constructor(log: Followed, source: ReadableLog) {
    this.#log = log
    this.#source = source
    this.#reached = filedIn(log.folder)
    this.#marked = this.#reached
  }

  /** Tells that the log is on the disk up to a position. */
  synced(position: number): void {
    this.#upTo = Math.max(this.#upTo, position)
  }

  /** Records to file; one more until the database's position is known. */
  get waiting(): number {
    return Math.max(0, this.#upTo - (this.#filed ?? -1))
  }

  /** Position up to which the log is filed. */
  get filed(): number {
    return this.#filed ?? 0
  }

  /** Whether exactly the records of earlier processes are filed. */
  get betweenProcesses(): boolean {
    return this.#filed === this.#log.opened
  }

  /** Saves the position in the MARK file, if possible. Call it after a sync of the database, which puts all filed records on the disk. */
  mark(): void {
    if (this.#marked === this.#reached) return
    try {
      replaceFile(join(this.#log.folder, MARK), `${this.#reached}\n`)
      this.#marked = this.#reached
    } catch {
      // With an outdated mark, a fresh database gets deliveries that salvage finds too; salvage skips those.
    }
  }

  /**
   * Call when another database was opened or a transaction failed: the next step reads its position from the database.
   * @param gone as for `forgetFiled`
   */
  restart(gone = false): void {
    if (gone) this.#reached = 0
    this.#reader?.close()
    this.#reader = undefined
    this.#filed = undefined
  }

  /** Files the next slice. @throws SQLite's or the file system's error; the next step repeats the slice */
  step(captured: Captured, took: Took, extra: (highestId: number) => void): Filed {
    const from = this.#filed ?? this.#begin(captured)
    // Records of earlier processes are filed separately from those of this process.
    const upTo = from < this.#log.opened ? Math.min(this.#log.opened, this.#upTo) : this.#upTo
    this.#reader ??= this.#source.read(from)
    try {
      const { entries, gaps, position } = this.#reader.next(upTo, SLICE_BYTES)
      const missing = gaps.findLast(({ to }) => to > this.#log.opened)
      if (missing && this.#mayReturn(missing, upTo)) throw new Error('Records of the log cannot be read.')
      const filed = this.#file(captured, entries, took, (highestId) => {
        writeMeta(captured.statements, 'filed', position)
        writeMeta(captured.statements, 'synced', this.#upTo)
        extra(highestId)
      })
      this.#filed = position
      this.#reached = Math.max(this.#reached, position)
      // This process reads a record only after its write has ended, so its loss is certain to concern an answered delivery.
      const sure = gaps.map((gap) => ({ ...gap, answered: gap.answered || gap.to > this.#log.opened }))
      return { ...filed, gaps: sure }
    } catch (error) {
      this.restart()
      throw error
    }
  }

  /**
   * Whether the log may restore missing records of this process, from a segment that another program removed. It looks for removed segments
   * each second, and before it appends to one: until then nothing waits behind the last records.
   */
  #mayReturn({ from, to }: Pick<LogGap, 'from' | 'to'>, upTo: number): boolean {
    if (to === upTo) return true
    if (this.#missing?.from !== from) this.#missing = { from, since: performance.now() }
    return performance.now() - this.#missing.since < RESTORING_MS
  }

  /** @returns the database's position in the log. A fresh database begins after the records filed in the former one: salvage has those. */
  #begin({ statements }: Captured): number {
    // At most `upTo`: the oldest readable record may belong to a write in progress, whose beginning cannot be read yet.
    const oldest = Math.min((this.#source.oldest() ?? this.#log.opened + 1) - 1, this.#upTo)
    if (readMeta(statements, 'log') !== this.#log.identity) {
      // In this order, so that a crash in between repeats both writes.
      writeMeta(statements, 'synced', 0)
      writeMeta(statements, 'filed', Math.max(oldest, this.#reached))
      writeMeta(statements, 'log', this.#log.identity)
    }
    this.#filed = readMeta(statements, 'filed')
    return this.#filed
  }

  #file(
    captured: Captured,
    entries: readonly LogEntry[],
    took: Took,
    extra: (highestId: number) => void,
  ): Omit<Filed, 'gaps'> {
    const { statements } = captured
    const deliveries: { id: number; record: Buffer }[] = []
    const others: (() => void)[] = []
    const annotations: Buffer[] = []
    let annotated: number[] = []
    const journals = new Map<MetaKey, number>()
    let received = 0
    let last: number | null = null
    let lastId = captured.highestId
    let { mirrored } = captured
    let missed = false
    for (const entry of entries) {
      const { buffer, byteOffset, byteLength } = entry.payload
      const bytes = Buffer.from(buffer, byteOffset, byteLength)
      const shared = entry.kind === KIND.mirrored ? readMirrored(bytes) : undefined
      const { kind, id, payload } = shared ?? { ...entry, payload: bytes }
      if (shared) {
        // A follower that was killed reads again from the last filed record.
        if (id <= mirrored) continue
        missed ||= shared.after > mirrored
        // A fresh database lacks the records before this one: the follower reads them again, and this one with them.
        if (shared.after > mirrored) continue
        mirrored = id
      }
      lastId = Math.max(lastId, id)
      const old = kind === KIND.oldDelivery || kind === KIND.oldPiece
      if (old && !isNew(captured, payload, journals)) continue
      const rest = old ? payload.subarray(OLD_HEAD) : payload
      if (kind === KIND.piece || kind === KIND.oldPiece) {
        const { upload, seq, bytes: piece } = readPiece(rest)
        others.push(() => captured.addChunk(upload, seq, piece))
      } else if (kind === KIND.annotation) annotations.push(payload)
      else if (kind === KIND.abandoned) others.push(() => captured.dropChunks(rest.toString()))
      else {
        deliveries.push({ id, record: rest })
        const came = arrivalOf(rest)
        if (came !== null) received += 1
        if (came !== null && entry.position <= this.#log.opened) last = Math.max(last ?? 0, came)
      }
    }
    const committed = captured.commit({
      deliveries,
      took,
      highestId: lastId,
      mirrored,
      extra: () => {
        for (const one of others) one()
        // After the deliveries: each is in the log before what users say about it.
        annotated = annotations.flatMap((record) => follow(statements, record) ?? [])
        for (const [key, end] of journals) writeMeta(statements, key, end)
        if (last !== null) disproveAbsence(statements, Math.ceil(last / 1000))
        extra(Math.max(lastId, captured.highestId))
      },
    })
    return { ...committed, firstId: deliveries[0]?.id ?? lastId + 1, lastId, received, annotated, missed }
  }
}

/** A crash before the removal of a journal puts its entries into the log twice. @param journals offset up to which each is filed */
function isNew({ statements }: Captured, payload: Buffer, journals: Map<MetaKey, number>): boolean {
  const { journal, end } = readOldHead(payload)
  const key: MetaKey = `replayed:${journal}`
  if ((journals.get(key) ?? readMeta(statements, key)) >= end) return false
  journals.set(key, end)
  return true
}

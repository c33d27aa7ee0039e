import { join } from 'node:path'
import type { LogEntry, LogGap, LogReading, ReadableLog } from '#core/ports.ts'
import { numberIn, replaceFile } from '../disk/files.ts'
import { type MetaKey, readMeta, writeMeta } from '../sql/numbers.ts'
import { arrivalOf, KIND, OLD_HEAD, readOldHead, readPiece } from '../wire/record.ts'
import type { Captured, Committed, Took } from './captured.ts'
import { disproveAbsence } from './coverage.ts'

/** Filed in one transaction: some hundred deliveries, so that pins and notes hardly wait. */
const SLICE_BYTES = 1024 * 1024

/** How long filing waits for a segment that another program removed: the log gives its present one the name again. */
const MISSING_MS = 3_000

/** Beside the segments: the position up to which deliveries are filed, for when the database is lost. It may be out of date. */
const MARK = 'filed'

/** The log from which deliveries are filed. */
export interface Followed {
  readonly folder: string
  readonly identity: number
  /** What stands up to this position came to an earlier process, which may have ended in a crash. */
  readonly opened: number
  /** The last id that it had given then. */
  readonly lastId: number
}

/** Deliveries of one transaction: ids from and to, both included, and how many of them a sender sent. */
export interface Filed extends Committed {
  readonly firstId: number
  readonly lastId: number
  readonly received: number
  /** Records that the log lost. */
  readonly gaps: readonly LogGap[]
}

/** Moves records from the log into captured.db. The place reached is stored in the same transaction: each is filed exactly once. */
export class Filing {
  readonly #log: Followed
  readonly #source: ReadableLog
  #upTo = 0
  #reader: LogReading | undefined
  /** All up to here is filed; undefined until the database says so. */
  #filed: number | undefined
  /** All up to here has been filed, in this database or one before it that can be salvaged. */
  #reached: number
  #marked: number
  /** When the end of the log was not there, `performance.now()`. */
  #missedAt: number | undefined

  constructor(log: Followed, source: ReadableLog) {
    this.#log = log
    this.#source = source
    this.#reached = numberIn(join(log.folder, MARK))
    this.#marked = this.#reached
  }

  /** All up to a position is on the disk. */
  synced(position: number): void {
    this.#upTo = Math.max(this.#upTo, position)
  }

  get behind(): boolean {
    return (this.#filed ?? -1) < this.#upTo
  }

  /** All up to here is filed. */
  get filed(): number {
    return this.#filed ?? 0
  }

  /** All of an earlier process is filed, and nothing of this one. */
  get betweenProcesses(): boolean {
    return this.#filed === this.#log.opened
  }

  /** Writes down how far it is, as far as that goes. Call it when the database has synced something: all that is filed is on the disk then. */
  mark(): void {
    if (this.#marked === this.#reached) return
    try {
      replaceFile(join(this.#log.folder, MARK), `${this.#reached}\n`)
      this.#marked = this.#reached
    } catch {
      // Where it is out of date a fresh database gets deliveries that a salvage finds too.
    }
  }

  /** Another database is open, or a transaction failed: the next step begins where the database says. */
  restart(): void {
    this.#reader?.close()
    this.#reader = undefined
    this.#filed = undefined
  }

  /** @throws SQLite's or the file system's error; the same records come again next time */
  step(captured: Captured, took: Took, extra: (highestId: number) => void): Filed {
    const from = this.#filed ?? this.#begin(captured)
    // What an earlier process left is filed apart from what this one received.
    const upTo = from < this.#log.opened ? Math.min(this.#log.opened, this.#upTo) : this.#upTo
    this.#reader ??= this.#source.read(from)
    try {
      const { entries, gaps, position } = this.#reader.next(upTo, SLICE_BYTES)
      const endMissing = gaps.at(-1)?.to === upTo && upTo > this.#log.opened
      this.#missedAt = endMissing ? (this.#missedAt ?? performance.now()) : undefined
      if (this.#missedAt !== undefined && performance.now() < this.#missedAt + MISSING_MS)
        throw new Error('A segment of the log is missing.')
      const filed = this.#file(captured, entries, took, (highestId) => {
        writeMeta(captured.statements, 'filed', position)
        extra(highestId)
      })
      this.#filed = position
      this.#reached = Math.max(this.#reached, position)
      // What came to this process is read only once its write has ended.
      const sure = gaps.map((gap) => ({ ...gap, answered: gap.answered || gap.to > this.#log.opened }))
      return { ...filed, gaps: sure }
    } catch (error) {
      this.restart()
      throw error
    }
  }

  /** @returns where the database stands; a fresh one gets what was not filed in the one before it: the rest comes by salvage, as users left it */
  #begin({ statements }: Captured): number {
    // Of what is being written right now the beginning may be missing.
    const oldest = Math.min((this.#source.oldest() ?? this.#log.opened + 1) - 1, this.#upTo)
    if (readMeta(statements, 'log') !== this.#log.identity) {
      // In this order: a crash in between begins anew.
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
    const journals = new Map<MetaKey, number>()
    let received = 0
    let last: number | null = null
    for (const {
      kind,
      id,
      position,
      payload: { buffer, byteOffset, byteLength },
    } of entries) {
      const payload = Buffer.from(buffer, byteOffset, byteLength)
      const old = kind === KIND.oldDelivery || kind === KIND.oldPiece
      if (old && !isNew(captured, payload, journals)) continue
      const rest = old ? payload.subarray(OLD_HEAD) : payload
      if (kind === KIND.piece || kind === KIND.oldPiece) {
        const { upload, seq, bytes } = readPiece(rest)
        others.push(() => captured.addChunk(upload, seq, bytes))
      } else if (kind === KIND.abandoned) others.push(() => captured.dropChunks(rest.toString()))
      else {
        deliveries.push({ id, record: rest })
        const came = arrivalOf(rest)
        if (came !== null) received += 1
        if (came !== null && position <= this.#log.opened) last = Math.max(last ?? 0, came)
      }
    }
    const lastId = entries.at(-1)?.id ?? captured.highestId
    const committed = captured.commit({
      ...{ deliveries, took, highestId: lastId },
      extra: () => {
        for (const one of others) one()
        for (const [key, end] of journals) writeMeta(statements, key, end)
        if (last !== null) disproveAbsence(statements, Math.ceil(last / 1000))
        extra(Math.max(lastId, captured.highestId))
      },
    })
    return { ...committed, firstId: deliveries[0]?.id ?? lastId + 1, lastId, received }
  }
}

/** A journal may be in the log twice, where a crash came before it was removed. @param journals how far each is filed by then */
function isNew({ statements }: Captured, payload: Buffer, journals: Map<MetaKey, number>): boolean {
  const { journal, end } = readOldHead(payload)
  const key: MetaKey = `replayed:${journal}`
  if ((journals.get(key) ?? readMeta(statements, key)) >= end) return false
  journals.set(key, end)
  return true
}

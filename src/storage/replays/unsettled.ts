import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { EndedAttempt, Ledger, NewAttempt } from '#core/replay/ports.ts'
import { type Disk, folderOf } from '#log/disk.ts'
import { SegmentLog } from '#log/log.ts'
import { LogReader } from '#log/reader.ts'
import { segmentNames } from '#log/segment.ts'
import { asBuffer } from '../body/stored-body.ts'
import { closedOnFailure, readBytes, type StoreFiles, words } from '../disk/files.ts'
import { Queries, type Statements } from '../sql/connection.ts'
import { rawRecord } from '../wire/record.ts'
import type { AttemptWriter } from './attempts.ts'

/** Limit of begun and ended attempts in the log, before they are written to the database. */
const AT_MOST = 512
const SEGMENT_BYTES = 1024 * 1024

type Transaction = (work: () => void) => void
type Key = 'log' | 'settled' | 'generation'

/** Commits that are in the log but not yet in the database, so that a thousand attempts can share one transaction. */
export class Unsettled extends Queries {
  readonly #writer: AttemptWriter
  readonly #transaction: Transaction
  /** Writes survive the end of the process without a sync; a sync per turn would take longer than the target's answer. */
  readonly #disk: Disk
  #log: SegmentLog
  #works: Work[] = []
  #count = 0

  /** Writes commits that a former process left in the log to the database. */
  constructor(
    statements: Statements,
    { folder, attempts }: Pick<StoreFiles, 'folder' | 'attempts'>,
    writer: AttemptWriter,
    transaction: Transaction,
    warn: (message: string) => void,
  ) {
    super(statements)
    this.#writer = writer
    this.#transaction = transaction
    this.#disk = folderOf(attempts, 'unsynced')
    const known = { position: this.#read('settled') ?? 0, log: this.#read('log') ?? 0 }
    this.#log = new SegmentLog(this.#disk, { floor: { ...known, id: 0 }, segmentBytes: SEGMENT_BYTES })
    // The log's content does not belong to a fresh database.
    const from = known.log === this.#log.identity ? known.position : this.#log.place.position
    closedOnFailure(this, () => {
      try {
        const old = join(folder, OLD_LOG)
        const works = [...oldWorks(old, this.#read('generation')), ...this.#after(from)]
        this.#transaction(() => this.#settled(works))
        rmSync(old, { force: true })
      } catch (error) {
        warn(
          `The last attempts could not be imported, so Acuse may send some again without marking them: ${words(error)}.`,
        )
        this.#transaction(() => this.#settled([]))
      }
    })
  }

  /** Appends a commit to the log. @returns false when it is too large: the caller must `settle`, then write it to the database */
  take(work: Work): boolean {
    if (this.#count >= AT_MOST) this.settle()
    if (!work.begun.every(isSmall) || !work.ended.every(hasSmallBody)) return false
    const bytes = Buffer.from(encode(work))
    if (bytes.byteLength > LONGEST) return false
    this.#log.append([rawRecord(0, bytes)])
    this.#works.push(work)
    this.#count += work.ended.length + work.begun.length
    return true
  }

  /** Writes the commits to the database. Call it before any other read or write of attempts or entries. */
  settle(): void {
    if (this.#count === 0) return
    this.#transaction(() => this.#settled(this.#works))
    this.#works = []
    this.#count = 0
    this.#log.restart()
  }

  /** Deletes the log's files, so that nothing of deleted attempts remains in them. */
  clear(): void {
    this.close()
    for (const name of segmentNames(this.#disk)) this.#disk.remove(name)
    this.#log = new SegmentLog(this.#disk, { floor: { position: 0, id: 0 }, segmentBytes: SEGMENT_BYTES })
    this.#transaction(() => this.#settled([]))
  }

  close(): void {
    this.#log.close()
  }

  #after(position: number): Work[] {
    const reader = new LogReader(this.#disk, position)
    const works: Work[] = []
    try {
      for (const upTo = this.#log.place.position; position < upTo; ) {
        const { entries, position: reached } = reader.next(upTo, SEGMENT_BYTES)
        works.push(...entries.map(({ payload }) => decode(payload.toString())))
        position = reached
      }
    } finally {
      reader.close()
    }
    return works
  }

  /** Writes commits and records that the whole log is now in the database. Call it in a transaction. */
  #settled(works: readonly Work[]): void {
    takeOver(works, this.#writer)
    const reached: readonly [Key, number][] = [
      ['log', this.#log.identity],
      ['settled', this.#log.place.position],
    ]
    for (const [key, value] of reached)
      this.db.run`INSERT OR REPLACE INTO followed (key, value) VALUES (${key}, ${value})`
    this.db.run`DELETE FROM followed WHERE key = 'generation'`
  }

  #read(key: Key): number | undefined {
    return this.db.numbers`SELECT value FROM followed WHERE key = ${key}`[0]
  }
}

/** File of version 0.1. Entry: 0 u32 length of the text | 4 u32 CRC-32 of the bytes from 8 on | 8 f64 generation | 16 the work as JSON. */
const OLD_LOG = 'unsettled-attempts'
const OLD_HEAD = 16

/** @param generation whose entries are not in the database; undefined when all are */
function oldWorks(path: string, generation: number | undefined): Work[] {
  if (generation === undefined || !existsSync(path)) return []
  const bytes = readBytes(path)
  const found: Work[] = []
  for (let at = 0; at + OLD_HEAD <= bytes.length; ) {
    const end = at + OLD_HEAD + bytes.readUInt32LE(at)
    if (end > bytes.length || bytes.readDoubleLE(at + 8) !== generation) break
    if (crc32(bytes.subarray(at + 8, end)) !== bytes.readUInt32LE(at + 4)) break
    found.push(decode(bytes.toString('utf8', at + OLD_HEAD, end)))
    at = end
  }
  return found
}

export type Work = Parameters<Ledger['commit']>[0]

/** Longer answers go directly to the database, so that they are not written twice. */
const BODY_AT_MOST = 4 * 1024
const LONGEST = 256 * 1024

const isSmall = ({ editedBody }: NewAttempt): boolean => editedBody === null
const hasSmallBody = ({ outcome: { answer } }: EndedAttempt): boolean =>
  answer === null || answer.body.byteLength <= BODY_AT_MOST

const encode = ({ ended, begun }: Work): string => JSON.stringify({ ended: ended.map(withoutBytes), begun })

/** Encodes the body of an answer in base64, for JSON. */
function withoutBytes(one: EndedAttempt): unknown {
  const { answer } = one.outcome
  if (!answer) return one
  const body = asBuffer(answer.body).toString('base64')
  return { ...one, outcome: { ...one.outcome, answer: { ...answer, body } } }
}

/** @param text from `encode`; its checksum was verified, so it needs no validation */
function decode(text: string): Work {
  const { ended, begun } = JSON.parse(text) as Work
  return { begun, ended: ended.map(withBytes) }
}

function withBytes(one: EndedAttempt): EndedAttempt {
  const { answer } = one.outcome
  if (!answer) return one
  const body = Buffer.from(String(answer.body), 'base64')
  return { ...one, outcome: { ...one.outcome, answer: { ...answer, body } } }
}

/** Writes several commits, within a transaction. An attempt that began and ended in them is written once. */
export function takeOver(works: readonly Work[], writer: AttemptWriter): void {
  const begun = new Map<number, NewAttempt>()
  const end = (attempt: EndedAttempt): void => {
    const start = begun.get(attempt.id)
    begun.delete(attempt.id)
    if (start) writer.whole(start, attempt)
    else writer.end(attempt)
  }
  for (const work of works) {
    const fresh = new Set(work.begun.map(({ id }) => id))
    // First the ends of earlier attempts, whose entries this commit may send again; then attempts that begin and end in this commit.
    for (const attempt of work.ended) if (!fresh.has(attempt.id)) end(attempt)
    for (const attempt of work.begun) begun.set(attempt.id, attempt)
    for (const attempt of work.ended) if (fresh.has(attempt.id)) end(attempt)
  }
  for (const attempt of begun.values()) writer.begin(attempt)
}

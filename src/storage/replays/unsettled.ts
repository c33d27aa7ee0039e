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
import type { AttemptWriter } from './attempts.ts'

/** Begun and ended attempts that wait at most before the database takes them. */
const AT_MOST = 256
const SEGMENT_BYTES = 1024 * 1024

type Transaction = (work: () => void) => void
type Key = 'log' | 'settled' | 'generation'

/** Commits that are in the log and not in the database yet: a thousand attempts that begin and end meanwhile cost one transaction. */
export class Unsettled extends Queries {
  readonly #writer: AttemptWriter
  readonly #transaction: Transaction
  /** What is written survives the process; a sync for each turn would take longer than the target. */
  readonly #disk: Disk
  #log: SegmentLog
  #works: Work[] = []
  #count = 0

  /** Takes over what a former process left in the log. */
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
    this.#disk = folderOf(attempts, false)
    const known = { position: this.#read('settled') ?? 0, log: this.#read('log') ?? 0 }
    this.#log = new SegmentLog(this.#disk, { floor: { ...known, id: 0 }, segmentBytes: SEGMENT_BYTES })
    // A fresh database has nothing to do with what the log holds.
    const from = known.log === this.#log.identity ? known.position : this.#log.place.position
    closedOnFailure(this, () => {
      try {
        const old = join(folder, OLD_LOG)
        const works = [...oldWorks(old, this.#read('generation')), ...this.#after(from)]
        this.#transaction(() => this.#settled(works))
        rmSync(old, { force: true })
      } catch (error) {
        warn(
          `The last attempts could not be taken over, so some may be sent again unmarked: ${words(error)}.`,
        )
        this.#transaction(() => this.#settled([]))
      }
    })
  }

  /** @returns false when the database has to take it itself, at once; `settle` comes first then */
  take(work: Work): boolean {
    if (this.#count >= AT_MOST) this.settle()
    if (!work.begun.every(isSmall) || !work.ended.every(hasSmallBody)) return false
    const bytes = Buffer.from(encode(work))
    if (bytes.byteLength > LONGEST) return false
    this.#log.append([{ kind: 0, numbered: false, bytes }])
    this.#works.push(work)
    this.#count += work.ended.length + work.begun.length
    return true
  }

  /** Puts it into the database. Whatever else reads or changes attempts or entries comes after it. */
  settle(): void {
    if (this.#count === 0) return
    this.#transaction(() => this.#settled(this.#works))
    this.#works = []
    this.#count = 0
    this.#log.restart()
  }

  /** Leaves nothing behind of what was settled. */
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

  /** Call inside a transaction: all that is in the log is in the database then. */
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

/** Of 0.1. An entry is: 0 u32 length of the text | 4 u32 CRC-32 of all behind it | 8 f64 generation | 16 the work as JSON. */
const OLD_LOG = 'unsettled-attempts'
const OLD_HEAD = 16

/** @param generation that the database has not taken; undefined where it has taken all */
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

/** A longer answer is not written twice. */
const BODY_AT_MOST = 4 * 1024
const LONGEST = 256 * 1024

const isSmall = ({ editedBody }: NewAttempt): boolean => editedBody === null
const hasSmallBody = ({ outcome: { answer } }: EndedAttempt): boolean =>
  answer === null || answer.body.byteLength <= BODY_AT_MOST

const encode = ({ ended, begun }: Work): string => JSON.stringify({ ended: ended.map(withoutBytes), begun })

/** JSON holds no bytes: the body of an answer goes as base64. */
function withoutBytes(one: EndedAttempt): unknown {
  const { answer } = one.outcome
  if (!answer) return one
  const body = asBuffer(answer.body).toString('base64')
  return { ...one, outcome: { ...one.outcome, answer: { ...answer, body } } }
}

/** @param text what `encode` gave: its checksum says so */
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

/** Writes several commits as one, in a transaction: an attempt that began and ended among them is written once, as it ended. */
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
    // An entry may come back and go out again, and an attempt may end before it was ever on its way.
    for (const attempt of work.ended) if (!fresh.has(attempt.id)) end(attempt)
    for (const attempt of work.begun) begun.set(attempt.id, attempt)
    for (const attempt of work.ended) if (fresh.has(attempt.id)) end(attempt)
  }
  for (const attempt of begun.values()) writer.begin(attempt)
}

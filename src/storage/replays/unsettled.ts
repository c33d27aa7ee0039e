import { closeSync, constants, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { EndedAttempt, Ledger, NewAttempt } from '#core/replay/ports.ts'
import { asBuffer } from '../body/stored-body.ts'
import { closedOnFailure, demandOrdinary, words } from '../disk/files.ts'
import { Queries, type Statements } from '../sql/connection.ts'
import type { AttemptWriter } from './attempts.ts'

/** Begun and ended attempts that wait at most before the database takes them. */
const AT_MOST = 256

type Transaction = (work: () => void) => void

/** Commits that are in the log and not in the database yet: a thousand attempts that begin and end meanwhile cost one transaction. */
export class Unsettled extends Queries {
  readonly #writer: AttemptWriter
  readonly #transaction: Transaction
  readonly #log: CommitLog
  #works: Work[] = []
  #count = 0
  #generation: number

  /** Takes over what a former process left in the log. @param replays path of replays.db */
  constructor(
    statements: Statements,
    replays: string,
    writer: AttemptWriter,
    transaction: Transaction,
    warn: (message: string) => void,
  ) {
    super(statements)
    this.#writer = writer
    this.#transaction = transaction
    this.#log = new CommitLog(replays)
    this.#generation = closedOnFailure(this.#log, () => this.#takeUp(warn))
  }

  /** @returns false when the database has to take it itself, at once; `settle` comes first then */
  take(work: Work): boolean {
    if (this.#count >= AT_MOST) this.settle()
    if (!this.#log.append(this.#generation, work)) return false
    this.#works.push(work)
    this.#count += work.ended.length + work.begun.length
    return true
  }

  /** Puts it into the database. Whatever else reads or changes attempts or entries comes after it. */
  settle(): void {
    if (this.#count === 0) return
    this.#transaction(() => {
      takeOver(this.#works, this.#writer)
      this.#write(this.#generation + 1)
    })
    this.#generation += 1
    this.#log.restart()
    this.#works = []
    this.#count = 0
  }

  /** Leaves nothing behind of what was settled. */
  clear(): void {
    this.#log.clear()
  }

  close(): void {
    this.#log.close()
  }

  /** @returns the generation to go on with */
  #takeUp(warn: (message: string) => void): number {
    const [known] = this.db.numbers`SELECT value FROM followed WHERE key = 'generation'`
    const left = known === undefined ? [] : this.#log.read(known)
    // A fresh database has nothing to do with what the log holds.
    const next = (known ?? Math.max(Date.now(), this.#log.first())) + 1
    try {
      this.#transaction(() => {
        takeOver(left, this.#writer)
        this.#write(next)
      })
    } catch (error) {
      warn(`The last attempts could not be taken over, so some may be sent again unmarked: ${words(error)}.`)
      this.#transaction(() => this.#write(next))
    }
    return next
  }

  #write(generation: number): void {
    this.db.run`INSERT OR REPLACE INTO followed (key, value) VALUES ('generation', ${generation})`
  }
}

export type Work = Parameters<Ledger['commit']>[0]

/** 0 u32 length of the text | 4 u32 CRC-32 of all behind it | 8 f64 generation | 16 the work as JSON. */
const HEAD = 16
const SCRATCH_BYTES = 256 * 1024
/** A longer answer is not written twice. */
const BODY_AT_MOST = 4 * 1024

/** Work on its way into replays.db: what is written survives the process. The database names the generation that it has not taken yet. */
export class CommitLog {
  readonly #file: number
  readonly #path: string
  readonly #scratch = Buffer.allocUnsafe(SCRATCH_BYTES)
  #at = 0

  constructor(replays: string) {
    this.#path = join(dirname(replays), 'unsettled-attempts')
    demandOrdinary(this.#path)
    this.#file = openSync(this.#path, constants.O_RDWR | constants.O_CREAT, 0o600)
  }

  /** The generation that it begins with; 0 when there is none. */
  first(): number {
    const bytes = readFileSync(this.#path)
    return (bytes.length >= HEAD && bytes.readDoubleLE(8)) || 0
  }

  /** Work of this generation, in order. What was not written to its end was never acted on. */
  read(generation: number): Work[] {
    const bytes = readFileSync(this.#path)
    const found: Work[] = []
    for (let at = 0; at + HEAD <= bytes.length; ) {
      const end = at + HEAD + bytes.readUInt32LE(at)
      if (end > bytes.length || bytes.readDoubleLE(at + 8) !== generation) break
      if (crc32(bytes.subarray(at + 8, end)) !== bytes.readUInt32LE(at + 4)) break
      found.push(decode(bytes.toString('utf8', at + HEAD, end)))
      at = end
    }
    return found
  }

  /** @returns false when the work is too large to be written twice; nothing was written then @throws the system's error */
  append(generation: number, work: Work): boolean {
    if (!work.begun.every(isSmall) || !work.ended.every(hasSmallBody)) return false
    const text = encode(work)
    if (HEAD + text.length * 3 > SCRATCH_BYTES) return false
    const scratch = this.#scratch
    const end = HEAD + scratch.write(text, HEAD, 'utf8')
    scratch.writeUInt32LE(end - HEAD, 0)
    scratch.writeDoubleLE(generation, 8)
    scratch.writeUInt32LE(crc32(scratch.subarray(8, end)), 4)
    for (let written = 0; written < end; )
      written += writeSync(this.#file, scratch, written, end - written, this.#at + written)
    this.#at += end
    return true
  }

  /** What was written is in the database. */
  restart(): void {
    this.#at = 0
  }

  /** Leaves nothing behind of what was written. Call it after `restart`. */
  clear(): void {
    ftruncateSync(this.#file)
  }

  close(): void {
    closeSync(this.#file)
  }
}

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

import { closeSync, constants, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { EndedAttempt, Ledger, NewAttempt } from '#core/replay/ports.ts'
import { asBuffer } from '../body/stored-body.ts'
import { demandOrdinary } from '../files.ts'

export type Work = Parameters<Ledger['commit']>[0]

/** 0 u32 length of the text | 4 u32 CRC-32 of all behind it | 8 f64 generation | 16 the work as JSON. */
const HEAD = 16
const SCRATCH_BYTES = 256 * 1024
/** A longer answer is not written twice. */
const BODY_AT_MOST = 4 * 1024

/**
 * Work that is on its way into replays.db: one small write for each commit, and the database takes many together. What has been written
 * survives the end of the process at any moment. The database says which generation it has not taken yet; the next one overwrites it.
 */
export class CommitLog {
  readonly #file: number
  readonly #path: string
  readonly #scratch = Buffer.allocUnsafe(SCRATCH_BYTES)
  #at = 0

  /** @param replays path of replays.db, which it lies beside */
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

  /**
   * @returns false when the work is too large to be written twice; nothing was written then
   * @throws the system's error
   */
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

import { renameSync, unlinkSync } from 'node:fs'
import type { UnreadJournal } from '#contract/status.ts'
import { syncFolder, words } from '../disk/files.ts'
import { type Entry, Journal, JournalReader, journalsIn, numberOf } from '../disk/journal.ts'
import { withReserve } from '../disk/space.ts'
import { type MetaKey, readMeta, writeMeta } from '../sql/numbers.ts'
import { arrivalOf } from '../wire/record.ts'
import type { Captured } from './captured.ts'
import { disproveAbsence } from './coverage.ts'

/** Entries read back in one transaction: short enough that arrivals hardly wait. */
const SLICE = 500
const SLICE_BYTES = 8 * 1024 * 1024

export interface ReplayedSlice {
  readonly ids: readonly number[]
  readonly evicted: readonly number[]
  readonly finished: boolean
}

/** The journals of a folder: the one being written and those waiting to be read back, oldest first. */
export class Spill {
  readonly #folder: string
  #writing: Journal | undefined
  #waiting: string[]
  #reading: { path: string; number: number; reader: JournalReader } | undefined
  /** Those that cannot be read are left for the next start, so that they hold up no other. */
  #unread: readonly UnreadJournal[] = []
  #entries = 0

  constructor(folder: string) {
    this.#folder = folder
    this.#waiting = journalsIn(folder)
  }

  get empty(): boolean {
    return !this.#writing && !this.#reading && this.#waiting.length === 0
  }

  /** Whether nothing is left in any journal, those included that cannot be read. */
  get allRead(): boolean {
    return this.empty && this.#unread.length === 0
  }

  get unread(): readonly UnreadJournal[] {
    return this.#unread
  }

  /** Entries written since this process began, minus those read back: what the status shows as waiting. */
  get entries(): number {
    return Math.max(0, this.#entries)
  }

  /** @throws the file system's error; nothing of `entries` is kept then */
  append(entries: readonly Entry[]): void {
    withReserve(this.#folder, 'journal', () => this.#append(entries))
  }

  #append(entries: readonly Entry[]): void {
    try {
      this.#writing ??= Journal.create(this.#folder, this.#freshNumber())
      this.#writing.append(entries)
    } catch (error) {
      if (this.#writing?.torn) this.#rotate()
      throw error
    }
    this.#entries += entries.length
  }

  /**
   * Reads some entries back into the database, in order. The place reached is stored in the same transaction: a crash in between neither
   * loses nor doubles one. @throws SQLite's error; the same entries come again next time
   */
  replay(captured: Captured): ReplayedSlice {
    if (!this.#reading && this.#waiting.length === 0) this.#rotate()
    const reading = this.#open(captured)
    if (!reading) return { ids: [], evicted: [], finished: this.empty }
    const gathered = this.#gather(reading)
    if (!gathered) return { ids: [], evicted: [], finished: this.empty }
    const { records, chunks, ended } = gathered
    const key: MetaKey = `replayed:${reading.number}`
    let done: ReturnType<Captured['commit']>
    try {
      done = captured.commit(records, [], () => {
        for (const { upload, seq, bytes } of chunks) captured.addChunk(upload, seq, bytes)
        writeMeta(captured.statements, key, reading.reader.at)
        const came = lastArrival(records)
        if (came !== null) disproveAbsence(captured.statements, came)
      })
    } catch (error) {
      reading.reader.close()
      this.#reading = undefined
      throw error
    }
    this.#entries -= records.length + chunks.length
    // A record the database refuses stays readable in the journal, which is then kept.
    if (done.problems.size > 0) reading.reader.damaged = true
    if (ended) this.#finish(captured, reading)
    return { ids: done.ids.filter((id) => id !== null), evicted: done.evicted, finished: ended && this.empty }
  }

  close(): void {
    this.#rotate()
    this.#reading?.reader.close()
    this.#reading = undefined
  }

  #rotate(): void {
    if (!this.#writing) return
    const { path, entries } = this.#writing
    this.#writing.close()
    this.#writing = undefined
    if (entries > 0) this.#waiting.push(path)
    else unlinkSync(path)
  }

  #open(captured: Captured) {
    for (let path = this.#waiting[0]; path !== undefined && !this.#reading; path = this.#waiting[0]) {
      const number = numberOf(path)
      const from = readMeta(captured.statements, `replayed:${number}`)
      try {
        this.#reading = { path, number, reader: new JournalReader(path, from) }
      } catch (error) {
        this.#leave(path, error)
      }
    }
    return this.#reading
  }

  /** @returns undefined when the journal cannot be read */
  #gather({ path, reader }: { path: string; reader: JournalReader }): ReturnType<typeof gather> | undefined {
    try {
      return gather(reader)
    } catch (error) {
      reader.close()
      this.#reading = undefined
      this.#leave(path, error)
      return undefined
    }
  }

  #leave(path: string, error: unknown): void {
    this.#waiting = this.#waiting.filter((one) => one !== path)
    this.#unread = [...this.#unread, { path, reason: words(error) }]
  }

  /** The file goes first and its mark after it: the other way round a crash in between would read it back a second time. */
  #finish(
    captured: Captured,
    { path, number, reader }: { path: string; number: number; reader: JournalReader },
  ): void {
    reader.close()
    this.#reading = undefined
    if (reader.damaged) renameSync(path, `${path}.damaged`)
    else unlinkSync(path)
    syncFolder(path)
    this.#waiting.shift()
    if (this.empty) this.#entries = 0
    captured.statements.run`DELETE FROM meta WHERE key = ${`replayed:${number}`}`
  }

  /** Never a number that was used before, even when that journal is gone and only its mark is left. */
  #freshNumber(): number {
    const used = [...this.#waiting, ...this.#unread.map(({ path }) => path)].map(numberOf)
    return Math.max(Date.now(), ...used.map((number) => number + 1))
  }
}

/** Of records in one journal, thus of one run of the process; milliseconds since the epoch, null when none arrived. */
function lastArrival(records: readonly Buffer[]): number | null {
  const arrivals = records.map(arrivalOf).filter((at) => at !== null)
  return arrivals.length === 0 ? null : Math.ceil(Math.max(...arrivals) / 1000)
}

function gather(reader: JournalReader): {
  records: Buffer[]
  chunks: Extract<Entry, { type: 'chunk' }>[]
  ended: boolean
} {
  const records: Buffer[] = []
  const chunks: Extract<Entry, { type: 'chunk' }>[] = []
  let bytes = 0
  while (records.length + chunks.length < SLICE && bytes < SLICE_BYTES) {
    const entry = reader.next()
    if (!entry) return { records, chunks, ended: true }
    if (entry.type === 'delivery') records.push(entry.record)
    else chunks.push(entry)
    bytes += entry.type === 'delivery' ? entry.record.byteLength : entry.bytes.byteLength
  }
  return { records, chunks, ended: false }
}

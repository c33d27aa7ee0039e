import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LogReading, ReadableLog } from '#core/ports.ts'
import type { LogThread } from '../log-thread.ts'
import { type KeyedRecord, spilled, unspilled } from './rows.ts'

/** File with the position up to which the spill is drained. */
const MARK = 'drained'
const MARK_BYTES = 20

/** Records on this machine's disk that wait for the shared log. They are sent again until the log has each of them once. */
export class Spill {
  readonly #log: LogThread
  readonly #source: ReadableLog
  readonly #mark: string
  readonly #lost: (from: number, to: number) => void
  #drained: number
  #reading: LogReading | undefined

  /** @param log an open embedded log @param source the same, for reads @param folder its folder @param lost told of records that cannot be read */
  constructor(log: LogThread, source: ReadableLog, folder: string, lost: (from: number, to: number) => void) {
    this.#log = log
    this.#lost = lost
    this.#source = source
    this.#mark = join(folder, MARK)
    this.#drained = Math.max(drainedIn(this.#mark), (source.oldest() ?? log.place.position + 1) - 1)
    this.#keep()
  }

  /** Records that are not drained yet. */
  get waiting(): number {
    return this.#log.place.position - this.#drained
  }

  /** Resolves once the records are on the disk. None proves that the disk would take some. */
  async add(records: readonly KeyedRecord[]): Promise<void> {
    if (records.length === 0) await this.#log.prove()
    else await this.#log.append(records.map(spilled))
  }

  /** The oldest records that wait; undefined when none does. Call `done` once the shared log has them. */
  next(
    mostRecords: number,
    mostBytes: number,
  ): { readonly records: readonly KeyedRecord[]; done(): void } | undefined {
    if (this.waiting <= 0) return undefined
    this.#reading?.close()
    this.#reading = this.#source.read(this.#drained)
    const { entries, gaps, position } = this.#reading.next(
      Math.min(this.#log.place.position, this.#drained + mostRecords),
      mostBytes,
    )
    return {
      records: entries.map(({ payload }) => unspilled(payload)),
      done: () => {
        for (const { from, to } of gaps) this.#lost(from, to)
        this.#drained = position
        this.#log.trim(position)
        this.#keep()
      },
    }
  }

  close(): void {
    this.#reading?.close()
  }

  /** In place: a disk that the spill has filled takes no other file. */
  #keep(): void {
    const flag = existsSync(this.#mark) ? 'r+' : 'w'
    writeFileSync(this.#mark, `${this.#drained}`.padStart(MARK_BYTES), { flag })
  }
}

function drainedIn(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8')) || 0
  } catch {
    // No drain has been recorded: drain all again, since the shared log takes each record once.
    return 0
  }
}

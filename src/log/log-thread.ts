import type { Worker } from 'node:worker_threads'
import { messageOf } from '#contract/errors.ts'
import type { Log, LogPlace, LogRecord } from '#core/ports.ts'
import { transfer } from '#threads/expose.ts'
import { KeptThread } from '#threads/kept-thread.ts'
import type { Floor } from './log.ts'
import type { Batch, LogHandlers } from './worker.ts'

export interface LogThreadOptions {
  readonly start: () => Worker
  /** Folder of the segments; created if missing. */
  readonly folder: string
  /** @param reason why appends fail; null when they succeed again */
  trouble(reason: string | null): void
  /** The open found unreadable records at the end. @param bytes their size */
  unfinished(bytes: number): void
}

/** The log on its own thread, so that a slow disk does not block other work. */
export class LogThread implements Log {
  readonly #options: LogThreadOptions
  readonly #thread: KeptThread<LogHandlers>
  readonly #listeners = new Set<(place: LogPlace) => void>()
  #place: LogPlace = { position: 0, id: 0 }
  #floor: Floor = this.#place
  #promised = 0
  #identity = 0
  #failed = false
  /** Set between the end of a thread and the open of the next; appends wait for it. */
  #ready: PromiseWithResolvers<void> | undefined

  constructor(options: LogThreadOptions) {
    this.#options = options
    this.#thread = new KeptThread<LogHandlers>({
      start: options.start,
      name: 'The thread that appends',
      open: async (call) => {
        const opened = await call.open(options.folder, this.#floor, this.#promised)
        this.#identity = opened.identity
        this.#floor = { ...opened.place, log: opened.identity }
        if (opened.tornBytes > 0) options.unfinished(opened.tornBytes)
        this.#reached(opened.place)
        this.#ready?.resolve()
        this.#ready = undefined
        this.#tell(null)
      },
      ended: (error) => {
        this.#ready?.reject(error)
        this.#ready = Promise.withResolvers<void>()
        // Without this handler, a rejection that no append awaits would end the process.
        this.#ready.promise.catch(() => undefined)
        this.#tell(error.message)
      },
    })
  }

  get place(): LogPlace {
    return this.#place
  }

  /** Loads the thread's code before `open`. */
  start(): void {
    this.#thread.start()
  }

  /** Distinguishes this log from former ones in the folder. */
  get identity(): number {
    return this.#identity
  }

  /**
   * @param floor position and id that are known to be assigned
   * @param promised highest id that may have been assigned; used when the log is empty
   * @throws AcuseError `store-failed` when the folder cannot be used
   */
  async open(floor: Floor, promised: number): Promise<void> {
    this.#floor = floor
    this.#promised = promised
    await this.#thread.open()
  }

  async append(records: readonly LogRecord[]): Promise<readonly number[]> {
    const batch = packed(records)
    try {
      await this.#ready?.promise
      const { ids, place } = await this.#thread.call.append(transfer(batch, batch.bytes, batch.table.buffer))
      if (this.#failed) this.#tell(null)
      this.#reached(place)
      return ids
    } catch (error) {
      this.#tell(messageOf(error))
      throw error
    }
  }

  follow(listener: (place: LogPlace) => void): void {
    this.#listeners.add(listener)
  }

  trim(upTo: number): void {
    this.#thread.tell.trim(upTo)
  }

  close(): Promise<void> {
    return this.#thread.close((call) => call.close())
  }

  #reached(place: LogPlace): void {
    if (place.position < this.#place.position) return
    this.#place = place
    for (const listener of this.#listeners) listener(place)
  }

  #tell(reason: string | null): void {
    this.#failed = reason !== null
    this.#options.trouble(reason)
  }
}

function packed(records: readonly LogRecord[]): Batch {
  const bytes = new ArrayBuffer(records.reduce((sum, { size }) => sum + size, 0))
  const into = Buffer.from(bytes)
  const table = new Uint32Array(records.length * 3)
  let at = 0
  for (const [index, { kind, numbered, size, write }] of records.entries()) {
    write(into, at)
    table.set([size, kind, numbered ? 1 : 0], index * 3)
    at += size
  }
  return { bytes, table }
}

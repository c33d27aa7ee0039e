import type { Worker } from 'node:worker_threads'
import { messageOf } from '#contract/errors.ts'
import type { LogProblem } from '#contract/status.ts'
import type { Log, LogPlace, LogRecord } from '#core/ports.ts'
import { transfer } from '#threads/expose.ts'
import { KeptThread } from '#threads/kept-thread.ts'
import { frame, framedSize } from './frame.ts'
import type { Floor } from './log.ts'
import type { LogHandlers } from './worker.ts'

export interface LogThreadOptions {
  readonly start: () => Worker
  /** Folder of the segments; created if missing. */
  readonly folder: string
  /** @param reason why appends fail; null when they succeed again */
  trouble(reason: string | null): void
  /** The open found that records are missing. */
  problem(problem: LogProblem): void
}

/** Size of the memory that this thread fills with a batch and the log's thread writes to the disk: some 400 deliveries. */
const SHARED_BYTES = 1024 * 1024

/** The log on its own thread, so that a slow disk does not block other work. */
export class LogThread implements Log {
  readonly #options: LogThreadOptions
  readonly #thread: KeptThread<LogHandlers>
  readonly #listeners = new Set<(place: LogPlace) => void>()
  #place: LogPlace = { position: 0, id: 0 }
  #floor: Floor = this.#place
  #promised = 0
  #identity = 0
  readonly #shared = Buffer.from(new SharedArrayBuffer(SHARED_BYTES))
  /** The log's thread has a batch in the shared memory; others take memory of their own. */
  #sharing = false
  #failed = false
  /** Set between the end of a thread and the open of the next; appends wait for it. */
  #ready: PromiseWithResolvers<void> | undefined

  constructor(options: LogThreadOptions) {
    this.#options = options
    this.#thread = new KeptThread<LogHandlers>({
      start: options.start,
      name: 'The thread that appends',
      open: async (call) => {
        const opened = await call.open(options.folder, this.#floor, this.#promised, this.#shared.buffer)
        this.#identity = opened.identity
        this.#floor = { ...opened.place, log: opened.identity }
        if (opened.tornBytes > 0) options.problem({ kind: 'unfinished', bytes: opened.tornBytes })
        if (opened.cut) options.problem({ kind: 'cut', ...opened.cut })
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
    try {
      const bytes = framedSize(records)
      await this.#ready?.promise
      const place = await this.#commit(records, bytes)
      if (this.#failed) this.#tell(null)
      this.#reached(place)
      const count = records.filter(({ numbered }) => numbered).length
      return Array.from({ length: count }, (_, index) => place.id - count + 1 + index)
    } catch (error) {
      this.#tell(messageOf(error))
      throw error
    }
  }

  /** Resolves when a large record could be appended now, without appending one. @throws as `append` does */
  async prove(): Promise<void> {
    try {
      await this.#ready?.promise
      await this.#thread.call.prove()
      if (this.#failed) this.#tell(null)
    } catch (error) {
      this.#tell(messageOf(error))
      throw error
    }
  }

  /** @param bytes size of the records as frames */
  async #commit(records: readonly LogRecord[], bytes: number): Promise<LogPlace> {
    if (this.#sharing || bytes > SHARED_BYTES) {
      const frames = Buffer.from(new ArrayBuffer(bytes))
      frame(records, frames)
      return this.#thread.call.append(transfer(frames, frames.buffer))
    }
    this.#sharing = true
    try {
      frame(records, this.#shared)
      return await this.#thread.call.append(bytes)
    } finally {
      this.#sharing = false
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

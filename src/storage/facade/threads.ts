import type { Worker } from 'node:worker_threads'
import { members } from '#threads/expose.ts'
import { type Remote, Thread } from '#threads/thread.ts'
import type { StoreFiles } from '../disk/files.ts'
import type { ReaderHandlers, ReaderPushes } from '../reader/worker.ts'
import type { Analysis } from './analysis.ts'

const READER_AGAIN_MS = 500

export interface LibraryParts {
  readonly files: StoreFiles
  readonly analysis: Pick<Analysis, 'open' | 'release' | 'close'>
  readonly start: () => Worker
  /** Called when the reader has opened its databases. */
  reading(): void
  damaged(): void
  /** The stored bytes of a delivery no longer match their checksum. */
  altered(id: number): void
  /** Resolves when the deliveries received so far can be read, or when the wait is too long. */
  filed(): Promise<void>
}

/**
 * The reader thread, which needs both databases, and the analyst thread, which first creates derived.db. They open when the store can
 * already receive, restart after a failure, and close the files before a database is set aside.
 */
export class Library {
  /** Calls wait until the reader is open, and fail when it cannot be opened. */
  readonly reader: Remote<ReaderHandlers>
  readonly #reader: Thread<ReaderHandlers, ReaderPushes>
  readonly #parts: LibraryParts
  #opening: Promise<void> | undefined
  /** Set while the files are closed; ends the wait of queries. */
  #resume: ((opening?: Promise<void>) => void) | undefined
  #closed = false

  constructor(parts: LibraryParts) {
    this.#parts = parts
    this.#reader = new Thread({
      start: parts.start,
      name: 'The thread that reads',
      pushes: { damaged: () => parts.damaged(), altered: (id) => parts.altered(id) },
      onEnd: () => this.openLater(),
    })
    this.reader = members(async (name, args) => {
      // Rows are asked for by their ids: pushes read them while the next deliveries are being filed.
      await Promise.all([this.#opening, name === 'rows' ? undefined : parts.filed()])
      return this.#reader.ask(name, args)
    })
  }

  /** Opens both threads' databases. @param rebuild makes derived.db anew */
  open(rebuild = false): void {
    if (this.#closed) return
    const opening = this.#open(rebuild)
    this.#opening = opening
    this.#resume?.(opening)
    this.#resume = undefined
    opening.catch(() => this.openLater(rebuild))
  }

  /** Closes both databases. Queries wait until they are opened again. */
  async release(): Promise<void> {
    if (!this.#resume) {
      await this.#opening?.catch(() => undefined)
      const { promise, resolve } = Promise.withResolvers<void>()
      // A waiting query gets the failure of the opening; with no query, the retry suffices.
      promise.catch(() => undefined)
      this.#opening = promise
      this.#resume = resolve
    }
    const reader = this.#reader.running ? this.#reader.call.release() : undefined
    await Promise.allSettled([this.#parts.analysis.release(), reader])
  }

  /** Opens after a delay, unless `release` has closed the files by then. */
  openLater(rebuild = false): void {
    setTimeout(() => {
      // A connection opened during a replacement would truncate the -shm that all others have mapped (SIGBUS).
      if (!this.#resume) this.open(rebuild)
    }, READER_AGAIN_MS).unref()
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.release()
    await Promise.all([this.#parts.analysis.close(), this.#reader.close()])
    this.#resume?.()
  }

  async #open(rebuild: boolean): Promise<void> {
    const { files, analysis, reading } = this.#parts
    const { captured, derived, replays, sweeps } = files
    await analysis.open({ captured, derived, rebuild })
    await this.#reader.call.open({ captured, derived, replays, sweeps })
    reading()
  }
}

import type { AnalystCalls, AnalystMessage, WakeMessage } from '../analyst/protocol.ts'
import type { StoreFiles } from '../files.ts'
import type { StoreWorkers } from '../open.ts'
import type { ReaderCalls, ReaderMessage } from '../reader/protocol.ts'
import { Link } from '../wire/link.ts'

const RESPAWN_MS = 500

export interface BehindEvents {
  analyst(message: AnalystMessage): void
  reader(message: ReaderMessage): void
  /** The analyst has its databases open; every delivery up to this id is analysed. */
  analysing(upto: number): void
  /** The reader has its databases open too. */
  reading(): void
}

/**
 * The threads behind intake: the analyst, which makes derived.db, and the reader, which needs both databases. They open after the
 * store is ready to receive, come back when they fail, and let go of the files when a database is to be set aside.
 */
export class Behind {
  readonly #files: StoreFiles
  readonly #workers: StoreWorkers
  readonly #events: BehindEvents
  readonly #maskedNames: () => readonly string[]
  #analyst: Link<AnalystCalls> | undefined
  #reader: Link<ReaderCalls> | undefined
  #opening: Promise<void> | undefined
  #letIn: ((opening?: Promise<void>) => void) | undefined
  #closed = false

  constructor(
    files: StoreFiles,
    workers: StoreWorkers,
    events: BehindEvents,
    maskedNames: () => readonly string[],
  ) {
    this.#files = files
    this.#workers = workers
    this.#events = events
    this.#maskedNames = maskedNames
  }

  /** Opens what is not open. @param rebuild makes derived.db again from nothing */
  open(rebuild = false): void {
    if (this.#closed) return
    const opening = this.#open(rebuild)
    this.#opening = opening
    this.#letIn?.(opening)
    this.#letIn = undefined
    opening.catch(() => this.#retry(rebuild))
  }

  /** The reader, once it is open. @throws AcuseError when it cannot be opened now */
  async reader(): Promise<Link<ReaderCalls>> {
    await this.#opening
    return this.#spawnReader()
  }

  /** For messages that may be lost: a new analyst finds out by itself what there is to do. */
  analyst(): Link<AnalystCalls> {
    return this.#spawnAnalyst()
  }

  /** Tells the analyst which deliveries exist, with the names that are masked now. */
  wake(highestId: number): void {
    this.analyst().post({ wake: highestId, maskedNames: this.#maskedNames() } satisfies WakeMessage)
  }

  /** Lets go of both databases. Who wants to read meanwhile waits until they are opened again. */
  async release(): Promise<void> {
    if (!this.#letIn) {
      await this.#opening?.catch(() => undefined)
      const { promise, resolve } = Promise.withResolvers<void>()
      // A reader that waits gets the failure of the opening; without one the retry is enough.
      promise.catch(() => undefined)
      this.#opening = promise
      this.#letIn = resolve
    }
    await Promise.allSettled([this.#analyst?.call('release'), this.#reader?.call('release')])
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.release()
    await Promise.all([this.#analyst?.end(), this.#reader?.end()])
    this.#letIn?.()
  }

  async #open(rebuild: boolean): Promise<void> {
    const { captured, derived, replays, sweeps } = this.#files
    const upto = await this.#spawnAnalyst().call('open', { captured, derived, rebuild }, this.#maskedNames())
    this.#events.analysing(upto)
    await this.#spawnReader().call('open', { captured, derived, replays, sweeps })
    this.#events.reading()
  }

  #retry(rebuild: boolean): void {
    setTimeout(() => {
      // A connection that is opened while a database is replaced would cut off the -shm that all others have mapped (SIGBUS).
      if (!this.#letIn) this.open(rebuild)
    }, RESPAWN_MS).unref()
  }

  #spawnAnalyst(): Link<AnalystCalls> {
    this.#analyst ??= new Link<AnalystCalls>(
      this.#workers.analyst(),
      (message) => this.#events.analyst(message as AnalystMessage),
      () => {
        this.#analyst = undefined
        this.#retry(false)
      },
    )
    return this.#analyst
  }

  #spawnReader(): Link<ReaderCalls> {
    this.#reader ??= new Link<ReaderCalls>(
      this.#workers.reader(),
      (message) => this.#events.reader(message as ReaderMessage),
      () => {
        this.#reader = undefined
        this.#retry(false)
      },
    )
    return this.#reader
  }
}

import type { StoreOptions } from '../open.ts'
import type { SetAside } from '../sql/open-own.ts'
import { Link } from '../wire/link.ts'
import type { BatchMessage, WriterCalls, WriterMessage, WriterStatus } from '../writer/protocol.ts'
import { quotasOf } from './budget.ts'

const RESPAWN_MS = 300

export interface WriterEvents {
  message(message: WriterMessage): void
  opened(status: WriterStatus): void
  /** The thread ended; another takes over. What was on its way to it has no outcome. */
  gone(error: Error): void
  /** The next thread could not open the store; it goes on trying. */
  unopened(error: Error): void
}

/** The writer thread, and the next one when it ends. */
export class WriterThread {
  readonly #options: StoreOptions
  readonly #now: () => number
  readonly #events: WriterEvents
  #link: Link<WriterCalls>
  #closed = false

  constructor(options: StoreOptions, now: () => number, events: WriterEvents) {
    this.#options = options
    this.#now = now
    this.#events = events
    this.#link = this.#spawn()
  }

  get link(): Link<WriterCalls> {
    return this.#link
  }

  send(message: BatchMessage): void {
    this.#link.post(message, [message.batch.bytes])
  }

  /** @throws AcuseError `newer-schema`, `store-failed` */
  async open(): Promise<SetAside | null> {
    const { status, setAside } = await this.#link.call('open', {
      folder: this.#options.folder,
      quotas: quotasOf(this.#options.retention?.()),
      now: this.#now(),
    })
    this.#events.opened(status)
    return setAside
  }

  /** @param took durations of answers that no batch has taken along */
  async close(took: readonly number[]): Promise<void> {
    this.#closed = true
    this.send({ batch: { bytes: new ArrayBuffer(0), count: 0 }, took })
    await this.#link.call('close').catch(() => undefined)
    await this.#link.end()
  }

  #spawn(): Link<WriterCalls> {
    return new Link<WriterCalls>(
      this.#options.workers.writer(),
      (message) => this.#events.message(message as WriterMessage),
      (error) => {
        this.#events.gone(error)
        this.#later(() => {
          this.#link = this.#spawn()
          this.#reopen()
        })
      },
    )
  }

  #reopen(): void {
    const link = this.#link
    this.open().catch((error: unknown) => {
      this.#events.unopened(error instanceof Error ? error : new Error(String(error)))
      // A thread that ended meanwhile is followed by another one, which opens for itself.
      this.#later(() => {
        if (this.#link === link) this.#reopen()
      })
    })
  }

  #later(work: () => void): void {
    setTimeout(() => {
      if (!this.#closed) work()
    }, RESPAWN_MS).unref()
  }
}

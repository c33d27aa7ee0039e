import type { Worker } from 'node:worker_threads'
import type { OneWay } from '#threads/expose.ts'
import { type Remote, Thread } from '#threads/thread.ts'
import type { SetAside } from '../sql/open-own.ts'
import type { Quotas } from '../writer/rings.ts'
import type { WriterPushes, WriterStatus } from '../writer/status.ts'
import type { WriterHandlers } from '../writer/worker.ts'

const RESPAWN_MS = 300

export interface WriterEvents extends OneWay<WriterPushes> {
  opened(status: WriterStatus): void
  /** The thread ended; another takes over. What was on its way to it has no outcome. */
  ended(error: Error): void
  /** The next thread could not open the store; it goes on trying. */
  unopened(error: Error): void
}

/** The writer thread, and the next one when it ends. */
export class WriterThread {
  readonly call: Remote<WriterHandlers>
  readonly #thread: Thread<WriterHandlers, WriterPushes>
  readonly #options: () => Parameters<WriterHandlers['open']>[0]
  readonly #events: WriterEvents
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(
    start: () => Worker,
    options: () => { folder: string; quotas: Quotas; now: number },
    events: WriterEvents,
  ) {
    this.#options = options
    this.#events = events
    this.#thread = new Thread({
      ...{ start, name: 'The thread that writes', pushes: events },
      onEnd: (error) => {
        events.ended(error)
        this.#openLater()
      },
    })
    this.call = this.#thread.call
  }

  /** @throws AcuseError `newer-schema`, `store-failed` */
  async open(): Promise<SetAside | null> {
    const { status, setAside } = await this.call.open(this.#options())
    this.#events.opened(status)
    return setAside
  }

  /** @param took durations of answers that no batch has taken along */
  async close(took: readonly number[]): Promise<void> {
    this.#closed = true
    if (this.#thread.running) await this.call.close(took).catch(() => undefined)
    await this.#thread.close()
  }

  #reopen(): void {
    this.open().catch((error: unknown) => {
      this.#events.unopened(error instanceof Error ? error : new Error(String(error)))
      this.#openLater()
    })
  }

  /** One opening at a time: two would be two writers. */
  #openLater(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      if (!this.#closed) this.#reopen()
    }, RESPAWN_MS).unref()
  }
}

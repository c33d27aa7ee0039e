import type { Handlers, OneWay } from './expose.ts'
import { type Remote, Thread, type ThreadOptions } from './thread.ts'

/** Before an ended thread is begun again. */
const AGAIN_MS = 300

export interface KeptThreadOptions<H, P> extends Pick<ThreadOptions<P>, 'start' | 'name' | 'pushes'> {
  /** Makes a new thread ready for calls. */
  open(call: Remote<H>): Promise<void>
  /** The thread ended, or the next one could not be opened; another takes over. Calls on their way to it have no outcome. */
  ended(error: Error): void
}

/** A thread that is there from `open` to `close`: the next one begins when it ends. */
export class KeptThread<H extends Handlers<H>, P extends Handlers<P> = object> {
  readonly call: Remote<H>
  /** The same functions, when no answer is wanted. A thread that is not there gets nothing. */
  readonly tell: OneWay<H>
  readonly #thread: Thread<H, P>
  readonly #options: KeptThreadOptions<H, P>
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: KeptThreadOptions<H, P>) {
    this.#options = options
    this.#thread = new Thread({ ...options, onEnd: (error) => this.#ended(error) })
    this.call = this.#thread.call
    this.tell = this.#thread.tell
  }

  /** @throws what `options.open` throws */
  open(): Promise<void> {
    return this.#options.open(this.call)
  }

  /** @param last ends what the thread does */
  async close(last: (call: Remote<H>) => Promise<unknown>): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    if (this.#thread.running) await last(this.call).catch(() => undefined)
    await this.#thread.close()
  }

  #ended(error: Error): void {
    this.#options.ended(error)
    clearTimeout(this.#timer)
    // One opening at a time: two would be two threads.
    this.#timer = setTimeout(() => {
      if (!this.#closed)
        this.open().catch((error: unknown) =>
          this.#ended(error instanceof Error ? error : new Error(String(error))),
        )
    }, AGAIN_MS).unref()
  }
}

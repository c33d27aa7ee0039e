import { asError } from '#contract/errors.ts'
import type { Handlers, OneWay } from './expose.ts'
import { type Remote, Thread, type ThreadOptions } from './thread.ts'

/** Delay before an ended thread is restarted. */
const AGAIN_MS = 300

export interface KeptThreadOptions<H, P> extends Pick<ThreadOptions<P>, 'start' | 'name' | 'pushes'> {
  /** Prepares a new thread for calls. */
  open(call: Remote<H>): Promise<void>
  /** The thread ended, or the next one could not be opened; another will start. Nobody knows whether calls in flight took effect. */
  ended(error: Error): void
}

/** A thread that is restarted whenever it ends, between `open` and `close`. */
export class KeptThread<H extends Handlers<H>, P extends Handlers<P> = object> {
  readonly call: Remote<H>
  /** The same functions as one-way calls; dropped while no thread runs. */
  readonly tell: OneWay<H>
  readonly #thread: Thread<H, P>
  readonly #options: KeptThreadOptions<H, P>
  #timer: NodeJS.Timeout | undefined
  #wanted = false
  #closed = false

  constructor(options: KeptThreadOptions<H, P>) {
    this.#options = options
    this.#thread = new Thread({ ...options, onEnd: (error) => this.#ended(error) })
    this.call = this.#thread.call
    this.tell = this.#thread.tell
  }

  /** Loads the thread's code before `open`. */
  start(): void {
    this.#thread.start()
  }

  /** @throws the error of `options.open` */
  open(): Promise<void> {
    this.#wanted = true
    return this.#options.open(this.call)
  }

  /** @param last the final call, which ends the thread's work */
  async close(last: (call: Remote<H>) => Promise<unknown>): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    if (this.#thread.running) await last(this.call).catch(() => undefined)
    await this.#thread.close()
  }

  #ended(error: Error): void {
    if (!this.#wanted) return
    this.#options.ended(error)
    clearTimeout(this.#timer)
    // One timer at a time, because two opens would start two threads.
    this.#timer = setTimeout(() => {
      if (!this.#closed) this.open().catch((error: unknown) => this.#ended(asError(error)))
    }, AGAIN_MS).unref()
  }
}

import { refused } from '#contract/errors.ts'
import { type Handlers, members, type OneWay } from './expose.ts'
import type { KeptThreadOptions } from './kept-thread.ts'
import { type Remote, Thread } from './thread.ts'

/** Functions that every lazy thread exposes besides its own. */
interface Lifecycle {
  /** Closes the store's files until `reopen`, because the store is about to set them aside. */
  release(): void
  reopen(): void
  /** Ends the thread's work within a bounded time. */
  close(): Promise<void>
}

export interface LazyThreadOptions<H, P> extends KeptThreadOptions<H, P> {
  readonly closeMs: number
}

/** A thread that starts at the first call, and again at the next call after its end; a FileReader of the store. */
export class LazyThread<H extends Handlers<H> & Lifecycle, P extends Handlers<P>> {
  /** Opens the thread first. Rejects with `not-available` while closing. */
  readonly call: Remote<H>
  /** One-way calls; dropped while no thread runs, so a thread must read the missed state at its open. */
  readonly tell: OneWay<H>
  readonly #options: LazyThreadOptions<H, P>
  readonly #thread: Thread<H, P>
  #opening: Promise<void> | undefined
  #opened = false
  #closing: Promise<void> | undefined
  /** Whether the store's files are being set aside; a thread that starts meanwhile must not open them. */
  #released = false

  constructor(options: LazyThreadOptions<H, P>) {
    this.#options = options
    this.#thread = new Thread({ ...options, onEnd: (error) => this.#ended(error) })
    this.tell = this.#thread.tell
    this.call = members(async (function_, args) => {
      await this.open()
      return this.#thread.ask(function_, args)
    })
  }

  get begun(): boolean {
    return this.#opening !== undefined
  }

  get closing(): boolean {
    return this.#closing !== undefined
  }

  /** @throws AcuseError `not-available` while closing; the error of `options.open` */
  open(): Promise<void> {
    if (this.#closing) return Promise.reject(refused('not-available', 'closing'))
    this.#opening ??= this.#begin().catch(async (error: unknown) => {
      await this.#thread.stop()
      this.#opening = undefined
      throw error
    })
    return this.#opening
  }

  async release(): Promise<void> {
    this.#released = true
    await this.#opening?.catch(() => undefined)
    if (this.#opened) await this.#thread.ask('release', [])
  }

  reopen(): void {
    this.#released = false
    if (this.#opened) this.#reopen()
  }

  close(): Promise<void> {
    this.#closing ??= this.#end()
    return this.#closing
  }

  async #begin(): Promise<void> {
    await this.#options.open(this.#thread.call)
    this.#opened = true
    if (this.#released) await this.#thread.ask('release', [])
    else this.#reopen()
  }

  #reopen(): void {
    const { tell }: { tell: OneWay<Lifecycle> } = this.#thread
    tell.reopen()
  }

  #ended(error: Error): void {
    if (!this.#opened) return
    this.#opened = false
    this.#opening = undefined
    if (!this.#closing) this.#options.ended(error)
  }

  async #end(): Promise<void> {
    await this.#opening?.catch(() => undefined)
    if (this.#opened)
      await this.#thread.ask('close', [AbortSignal.timeout(this.#options.closeMs)]).catch(() => undefined)
    await this.#thread.close()
  }
}

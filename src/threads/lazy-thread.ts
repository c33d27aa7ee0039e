import { AcuseError } from '#contract/errors.ts'
import { type Handlers, members, type OneWay } from './expose.ts'
import type { KeptThreadOptions } from './kept-thread.ts'
import { type Remote, Thread } from './thread.ts'

/** What every lazy thread exposes besides its own functions. */
interface Lifecycle {
  /** Closes the store's files, which are about to be set aside, until `reopen`. */
  release(): void
  reopen(): void
  /** Ends what it does, bounded. */
  close(): Promise<void>
}

export interface LazyThreadOptions<H, P> extends KeptThreadOptions<H, P> {
  readonly closeMs: number
}

/** A thread that begins when it is first needed, and the next one when it has ended; a FileReader of the store. */
export class LazyThread<H extends Handlers<H> & Lifecycle, P extends Handlers<P>> {
  /** Opens the thread first. Rejects with `not-available` once it is closing. */
  readonly call: Remote<H>
  /** A thread that does not run gets none of it; it must find out when it is opened. */
  readonly tell: OneWay<H>
  readonly #options: LazyThreadOptions<H, P>
  readonly #thread: Thread<H, P>
  #opening: Promise<void> | undefined
  #opened = false
  #closing: Promise<void> | undefined
  /** The store's files are being set aside; a thread that begins meanwhile must not open them either. */
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

  /** @throws AcuseError `not-available` once it is closing, or what opening it threw */
  open(): Promise<void> {
    if (this.#closing) return Promise.reject(new AcuseError('not-available', 'Acuse is closing.'))
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

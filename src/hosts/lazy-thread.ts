import type { Worker } from 'node:worker_threads'
import { AcuseError } from '#contract/errors.ts'
import type { FileReader } from '#core/ports.ts'
import { type Calls, Link } from '#storage/wire/link.ts'

export interface LazyThreadOptions<C extends Calls<C>> {
  readonly worker: () => Worker
  /** What the thread is, at the beginning of a sentence. */
  readonly what: string
  /** Makes a new thread ready for calls. */
  open(link: Link<C>): Promise<void>
  /** Takes whatever it says of its own accord. */
  take(message: unknown): void
  /** It ended by itself; the next call begins another. */
  gone(error: Error): void
  /** Has it let go of the store's files, and then lets it open them again. */
  release(link: Link<C>): Promise<unknown>
  reopen(link: Link<C>): void
}

/** A thread that is begun when it is first needed, and the next one when it has ended. */
export class LazyThread<C extends Calls<C>> implements FileReader {
  readonly #options: LazyThreadOptions<C>
  #link: Link<C> | undefined
  #opening: Promise<Link<C>> | undefined
  #closing: Promise<void> | undefined
  /** The store's files are being set aside; a thread that begins meanwhile must not open them either. */
  #held = false

  constructor(options: LazyThreadOptions<C>) {
    this.#options = options
  }

  get begun(): boolean {
    return this.#opening !== undefined
  }

  get closing(): boolean {
    return this.#closing !== undefined
  }

  /** The one that is there now, ready for calls. */
  get present(): Link<C> | undefined {
    return this.#link
  }

  /** @throws AcuseError `not-available` once it is closing, or what opening it threw */
  open(): Promise<Link<C>> {
    if (this.#closing) return Promise.reject(new AcuseError('not-available', 'Acuse is closing.'))
    this.#opening ??= this.#spawn().catch((error: unknown) => {
      this.#opening = undefined
      throw error
    })
    return this.#opening
  }

  /** Told to the thread that is there; a later one has to be told when it is opened. */
  post(message: unknown): void {
    this.#link?.post(message)
  }

  async release(): Promise<void> {
    this.#held = true
    const link = await this.#opening?.catch(() => undefined)
    if (link) await this.#options.release(link)
  }

  reopen(): void {
    this.#held = false
    if (this.#link) this.#options.reopen(this.#link)
  }

  /** @param end lets the thread end what it does; it gets so many milliseconds */
  close(end: (link: Link<C>) => Promise<unknown>, patienceMs: number): Promise<void> {
    this.#closing ??= this.#end(end, patienceMs)
    return this.#closing
  }

  async #spawn(): Promise<Link<C>> {
    const { worker, what, take } = this.#options
    const link = new Link<C>(worker(), take, (error) => this.#gone(link, error), what)
    try {
      await this.#options.open(link)
      if (this.#held) await this.#options.release(link)
    } catch (error) {
      await link.end()
      throw error
    }
    this.#link = link
    if (!this.#held) this.#options.reopen(link)
    return link
  }

  #gone(link: Link<C>, error: Error): void {
    if (this.#link !== link) return
    this.#link = undefined
    this.#opening = undefined
    if (!this.#closing) this.#options.gone(error)
  }

  async #end(end: (link: Link<C>) => Promise<unknown>, patienceMs: number): Promise<void> {
    const link = await this.#opening?.catch(() => undefined)
    if (!link) return
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, patienceMs)
    await Promise.race([end(link).catch(() => undefined), late])
    clearTimeout(timer)
    await link.end()
  }
}

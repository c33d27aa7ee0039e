import type { StoreNotice } from '#core/ports.ts'

/** Counts change with every commit; no window reads them faster than this. */
const STATUS_MS = 250

/** Tells the listeners what changed. */
export class Notices {
  readonly #listeners = new Set<(notice: StoreNotice) => void>()
  #timer: NodeJS.Timeout | undefined
  #last = 0

  on(listener: (notice: StoreNotice) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  send(notice: StoreNotice): void {
    for (const listener of this.#listeners) listener(notice)
  }

  /** A change of state is told at once. */
  stateChanged(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#last = performance.now()
    this.send({ type: 'status' })
  }

  countsChanged(): void {
    if (this.#timer) return
    const wait = Math.max(0, this.#last + STATUS_MS - performance.now())
    this.#timer = setTimeout(() => this.stateChanged(), wait).unref()
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#listeners.clear()
  }

  /** Resolves when `done` is true at a notice, or after so many milliseconds. */
  async until(done: () => boolean, timeoutMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, timeoutMs)
    const stop = this.on(() => {
      if (done()) resolve()
    })
    await promise
    clearTimeout(timer)
    stop()
  }
}

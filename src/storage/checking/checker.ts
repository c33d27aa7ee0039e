import type { ChildProcess } from 'node:child_process'
import { Thread } from '#threads/thread.ts'
import type { CheckHandlers } from './process.ts'

/** The full check waits until the first moments, when everything else wants the disk, are over. */
const AFTER_MS = 3_000
const AGAIN_MS = 60_000

/** Looks through captured.db for damage that opening it does not show, in a process of its own that can be cut off. */
export class Checker {
  readonly #path: string
  readonly #start: () => ChildProcess
  readonly #running = new Set<Thread<CheckHandlers>>()
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(path: string, start: () => ChildProcess) {
    this.#path = path
    this.#start = start
  }

  /** Checks in a while; when it is cut off, again later. @param onDamage takes what was found */
  checkLater(onDamage: (reason: string) => void, delay = AFTER_MS): void {
    if (this.#closed) return
    this.#timer = setTimeout(() => {
      this.#check(true).then(
        (found) => (found === null ? undefined : onDamage(found)),
        () => this.checkLater(onDamage, AGAIN_MS),
      )
    }, delay).unref()
  }

  /** @returns what is wrong now; null when nothing is, or when it could not be found out */
  checkNow(): Promise<string | null> {
    return this.#check(false).catch(() => null)
  }

  /** Ends checks that are running, however far they are. Resolves when their processes have ended. */
  async cutOff(): Promise<void> {
    await Promise.all([...this.#running].map((one) => one.close()))
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.cutOff()
  }

  async #check(background: boolean): Promise<string | null> {
    const process = new Thread<CheckHandlers>({ start: this.#start, name: 'The check' })
    this.#running.add(process)
    try {
      return await process.call.check(this.#path, background)
    } finally {
      await process.close()
      this.#running.delete(process)
    }
  }
}

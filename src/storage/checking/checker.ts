import { setTimeout as pause } from 'node:timers/promises'
import { refused } from '#contract/errors.ts'
import type { Verification } from '#contract/status.ts'
import { type Program, Thread } from '#threads/thread.ts'
import type { CheckHandlers, LogEnd } from './process.ts'

/** Delay of the full check, so that it does not compete for the disk at the start. */
const AFTER_MS = 3_000
const AGAIN_MS = 60_000
/** Time between two scrubs. */
const DAY_MS = 86_400_000
/** A scrub's pause as a multiple of the time worked: it takes a twentieth of a core. */
const REST = 19

/** Checks captured.db for damage that an open does not reveal, in a separate process that can be killed. */
export class Checker {
  readonly #path: string
  readonly #start: () => Program
  readonly #running = new Set<Thread<CheckHandlers>>()
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(path: string, start: () => Program) {
    this.#path = path
    this.#start = start
  }

  /**
   * Checks after a delay, and again later when the check was cut off; then scrubs a sound file. @param onDamage receives the damage
   * @param onAltered as for `scrub`
   */
  checkLater(
    onDamage: (reason: string) => void,
    onAltered: (ids: readonly number[]) => void,
    delay = AFTER_MS,
  ): void {
    if (this.#closed) return
    this.#timer = setTimeout(() => {
      this.#check(true).then(
        (found) => (found === null ? this.scrub(onAltered) : onDamage(found)),
        () => this.checkLater(onDamage, onAltered, AGAIN_MS),
      )
    }, delay).unref()
  }

  /** @returns the damage found; null when there is none, or when the check failed */
  checkNow(): Promise<string | null> {
    return this.#check(false).catch(() => null)
  }

  /** Ends running checks. Resolves when their processes have ended. */
  async cutOff(): Promise<void> {
    await Promise.all([...this.#running].map((one) => one.close()))
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.cutOff()
  }

  /** Compares stored bytes with their checksums, slowly, now and once a day. @param onAltered receives ids of changed deliveries */
  scrub(onAltered: (ids: readonly number[]) => void): void {
    if (this.#closed) return
    const again = (delay: number): void => {
      if (!this.#closed) this.#timer = setTimeout(() => this.scrub(onAltered), delay).unref()
    }
    this.#prove(null, REST, ({ altered }) => onAltered(altered)).then(
      () => again(DAY_MS),
      () => again(AGAIN_MS),
    )
  }

  /** @throws the error of a read; AcuseError `store-failed` when the check was cut off */
  async verify(log: LogEnd): Promise<Verification> {
    const database = await this.#check(false)
    return { ...(await this.#prove(log, 0, () => undefined)), database }
  }

  #check(background: boolean): Promise<string | null> {
    return this.#with((process) => process.call.check(this.#path, background))
  }

  /** @param each receives the result so far after every step @returns the final result */
  #prove(log: LogEnd | null, rest: number, each: (found: Verification) => void): Promise<Verification> {
    return this.#with(async ({ call }) => {
      let last: Verification | undefined
      let began = performance.now()
      for await (const found of await call.prove(this.#path, log)) {
        last = found
        each(found)
        if (rest > 0) await pause((performance.now() - began) * rest, undefined, { ref: false })
        began = performance.now()
      }
      if (last) return last
      throw refused('store-failed', 'check-ended')
    })
  }

  async #with<T>(work: (process: Thread<CheckHandlers>) => Promise<T>): Promise<T> {
    const process = new Thread<CheckHandlers>({ start: this.#start, name: 'The check' })
    this.#running.add(process)
    try {
      return await work(process)
    } finally {
      await process.close()
      this.#running.delete(process)
    }
  }
}

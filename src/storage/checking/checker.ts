import { basename } from 'node:path'
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

const UNREAD = { checked: 0, unproved: 0, altered: [], records: 0, damaged: [] }

/**
 * Checks captured.db for damage that an open does not reveal, in a separate process that can be killed.
 * @param others databases that only `verify` checks
 */
export function createChecker(path: string, start: () => Program, others: readonly string[] = []) {
  const running = new Set<Thread<CheckHandlers>>()
  let cutOffFor: string | undefined
  let timer: NodeJS.Timeout | undefined
  let closed = false

  /**
   * Checks after a delay, and again later when the check was cut off; then scrubs a sound file. @param onDamage receives the damage
   * @param onAltered as for `scrub`
   */
  function checkLater(
    onDamage: (reason: string) => void,
    onAltered: (ids: readonly number[]) => void,
    delay = AFTER_MS,
  ): void {
    if (closed) return
    timer = setTimeout(() => {
      check(path, true).then(
        (found) => (found === null ? scrub(onAltered) : onDamage(found)),
        () => checkLater(onDamage, onAltered, AGAIN_MS),
      )
    }, delay).unref()
  }

  /** @returns the damage found; null when there is none, or when the check failed */
  function checkNow(): Promise<string | null> {
    return check(path, false).catch(() => null)
  }

  /** Ends running checks. Resolves when their processes have ended. @param damage of the file; then it is what `verify` finds */
  async function cutOff(damage?: string): Promise<void> {
    cutOffFor = damage
    await Promise.all([...running].map((one) => one.close()))
  }

  async function close(): Promise<void> {
    closed = true
    clearTimeout(timer)
    await cutOff()
  }

  /** Compares stored bytes with their checksums, slowly, now and once a day. @param onAltered receives ids of changed deliveries */
  function scrub(onAltered: (ids: readonly number[]) => void): void {
    if (closed) return
    const again = (delay: number): void => {
      if (!closed) timer = setTimeout(() => scrub(onAltered), delay).unref()
    }
    prove(null, REST, ({ altered }) => onAltered(altered)).then(
      () => again(DAY_MS),
      () => again(AGAIN_MS),
    )
  }

  /** @returns only the damage when captured.db has some @throws the error of a read; AcuseError `store-failed` when the check was cut off */
  async function verify(log: LogEnd): Promise<Verification> {
    cutOffFor = undefined
    try {
      const database = await check(path, false)
      if (database !== null) return { ...UNREAD, database }
      const found: string[] = []
      for (const other of others) {
        const damage = await check(other, false)
        if (damage !== null) found.push(`${basename(other)}: ${damage}`)
      }
      const proved = await prove(log, 0, () => undefined)
      return { ...proved, database: found.length === 0 ? null : found.join('; ') }
    } catch (error) {
      if (cutOffFor === undefined) throw error
      return { ...UNREAD, database: cutOffFor }
    }
  }

  function check(file: string, background: boolean): Promise<string | null> {
    return within((process) => process.call.check(file, background))
  }

  /** @param each receives the result so far after every step @returns the final result */
  function prove(
    log: LogEnd | null,
    rest: number,
    each: (found: Verification) => void,
  ): Promise<Verification> {
    return within(async ({ call }) => {
      let last: Verification | undefined
      let began = performance.now()
      for await (const found of await call.prove(path, log)) {
        last = found
        each(found)
        if (rest > 0) await pause((performance.now() - began) * rest, undefined, { ref: false })
        began = performance.now()
      }
      if (last) return last
      throw refused('store-failed', 'check-ended')
    })
  }

  async function within<T>(work: (process: Thread<CheckHandlers>) => Promise<T>): Promise<T> {
    const process = new Thread<CheckHandlers>({ start, name: 'The check' })
    running.add(process)
    try {
      return await work(process)
    } finally {
      await process.close()
      running.delete(process)
    }
  }

  return { checkLater, checkNow, cutOff, close, scrub, verify }
}
export type Checker = ReturnType<typeof createChecker>

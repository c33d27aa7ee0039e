import { setPriority } from 'node:os'
import type { Kind } from '#catalog/kinds.ts'
import { analyse } from '#core/checks/analyse.ts'
import { expose, owner } from '#threads/expose.ts'
import { rest, worked } from '#threads/garbage.ts'
import { failureOf, words } from '../disk/files.ts'
import { Analyst, type JudgedBatch } from './analyst.ts'

/** Arrivals per second above which analysis slows down, to leave the processor to intake. */
const BUSY = 250
/** Its longest pause then, as a multiple of the time worked. */
const REST = 3
/** Share of the time between arrivals that analysis takes with its pause, so that it stays ahead of them. */
const PACE = 0.8
/** Arrivals per second of a burst, in which intake has precedence and analysis falls behind. */
const BURST = 2_000
/** Deliveries per transaction while few arrive. A larger transaction costs less per delivery, and nothing waits for its sync. */
const ROWS_IN_PEACE = 1_500
/** On Linux each thread has its own niceness: when this thread and intake want the same core, intake gets nearly all of it. */
const NICENESS = 19
/** Shortest time between two batches; a lone delivery does not wait. Batches save disk writes, as each one writes nearly the same pages. */
const APART_MS = 50
/** Idle time after which the write-ahead log is checkpointed. */
const PAUSE_MS = 300
const RETRY_MS = 1_000
/** Interval of the check whether another program removed derived.db. */
const CHECK_MS = 1_000

/** Limit of JSON values in a body, with member names; each takes twelve bytes. A body of 32 MiB as the service writes it has fewer. */
const MOST_VALUES = 2_097_152

export interface AnalystPushes {
  judged(batch: JudgedBatch): void
  /** Restored deliveries were queued or analysed. @param pending how many still wait */
  rejudged(pending: number): void
  /** Every delivery up to this id is analysed; the delivery itself may have been deleted meanwhile. */
  caughtUp(upto: number): void
  /** derived.db is damaged or gone, and has to be made again. */
  derivedLost(reason: string): void
}

const tell = owner<AnalystPushes>()
let analyst: Analyst | undefined
let highest = 0
/** The last id that the log assigned; its delivery may not be filed yet. */
let arrived = 0
let running = false
let begun = Number.NEGATIVE_INFINITY
let pause: NodeJS.Timeout | undefined
/** The analyst whose lost files have been reported, so that each loss is reported once. */
let told: Analyst | undefined
let rate = { at: performance.now(), arrived: 0, perSecond: 0 }

if (process.platform === 'linux') setPriority(NICENESS)

function schedule(delay: number): void {
  if (running) return
  running = true
  if (delay === 0) setImmediate(work)
  else setTimeout(work, delay)
}

function work(): void {
  running = false
  if (!analyst) return
  begun = performance.now()
  const upto = highest
  try {
    const ids = analyst.stepRestored()
    if (ids) tell.rejudged(analyst.pending)
    const busy = arrivalRate() > BUSY
    // A delivery beyond `upto` may be newer than a change of the masked names, which arrive with the next `wake`.
    const batch = analyst.step(busy ? undefined : ROWS_IN_PEACE, upto)
    if (batch) {
      tell.judged(batch)
      worked(batch.count)
      schedule(busy ? pauseAfter(batch.count, performance.now() - begun) : 0)
    } else if (analyst.pending > 0) schedule(0)
    else {
      tell.caughtUp(upto)
      if (pause) pause.refresh()
      else pause = setTimeout(whenPaused, PAUSE_MS).unref()
    }
  } catch (error) {
    failed(error)
  }
}

function whenPaused(): void {
  try {
    analyst?.idle()
    rest()
  } catch (error) {
    failed(error)
  }
}

function failed(error: unknown): void {
  if (failureOf(error) === 'damage') tell.derivedLost(words(error))
  // Other failures (a full disk, a lock) may pass; deliveries wait in captured.db meanwhile.
  else schedule(RETRY_MS)
}

/** @param took milliseconds that `count` deliveries took @returns milliseconds; the longest pause in a burst, or when analysis cannot keep pace anyway */
function pauseAfter(count: number, took: number): number {
  const spare = (count * 1_000 * PACE) / rate.perSecond - took
  return Math.ceil(spare > 0 && rate.perSecond < BURST ? Math.min(spare, took * REST) : took * REST)
}

function arrivalRate(): number {
  const now = performance.now()
  const elapsed = now - rate.at
  if (elapsed >= 200) rate = { at: now, arrived, perSecond: ((arrived - rate.arrived) * 1_000) / elapsed }
  return rate.perSecond
}

function checkFiles(): void {
  const reason = analyst?.moved
  if (!reason || told === analyst) return
  told = analyst
  tell.derivedLost(reason)
}
setInterval(checkFiles, CHECK_MS).unref()

const handlers = {
  /** @returns the id up to which all deliveries are analysed */
  open(paths: ConstructorParameters<typeof Analyst>[0], maskedNames: readonly string[]): number {
    handlers.release()
    analyst = new Analyst(paths, (judged, see) => analyse(judged, see, MOST_VALUES))
    analyst.hide(maskedNames)
    highest = Math.max(highest, analyst.upto)
    rate = { at: performance.now(), arrived: Math.max(arrived, highest), perSecond: 0 }
    tell.rejudged(analyst.pending)
    schedule(0)
    return analyst.upto
  },
  /** Analyses only up to `upto`, so that the masked names are never older than a delivery. @param last the last id that the log assigned */
  wake(upto: number, maskedNames: readonly string[], last: number): void {
    analyst?.hide(maskedNames)
    arrived = Math.max(arrived, last)
    highest = Math.max(highest, upto)
    schedule(Math.max(0, begun + APART_MS - performance.now()))
  },
  forget: (ids: readonly number[], deletion: number) => analyst?.forget(ids, deletion),
  revisit(from: number): void {
    analyst?.revisit(from)
    schedule(0)
  },
  relearn(kinds: readonly Kind[]): readonly number[] {
    if (!analyst) throw new Error('The database is not open for analysis.')
    return analyst.relearn(kinds)
  },
  restore(ids: readonly number[], restoration: number): void {
    analyst?.restore(ids, restoration)
    // Also when none waits, because the owner needs the number.
    tell.rejudged(analyst?.pending ?? 0)
    schedule(0)
  },
  /** Closes the databases, so that they can be set aside. */
  release(): void {
    analyst?.close()
    analyst = undefined
  },
}

export type AnalystHandlers = typeof handlers
expose(handlers)

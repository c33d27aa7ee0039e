import { setPriority } from 'node:os'
import type { Kind } from '#catalog/kinds.ts'
import { analyse } from '#core/checks/analyse.ts'
import { expose, owner } from '#threads/expose.ts'
import { failureOf, words } from '../disk/files.ts'
import { Analyst, type JudgedBatch } from './analyst.ts'

/** Arrivals per second from which analysis steps back, to leave the processor to intake. */
const BUSY = 250
/** How long it then rests for each unit of work: a quarter of one core still judges some thousands a second. */
const REST = 3
/** Deliveries per transaction while few arrive: a larger one costs each of them less, and nothing waits for its sync. */
const ROWS_IN_PEACE = 1_500
/** On Linux the niceness of a thread is its own, so that of two that want the same core, intake gets nearly all of it. */
const NICENESS = 19
/** A lone delivery is judged at once; those of so many milliseconds of a stream together: each transaction writes nearly the same pages. */
const APART_MS = 50
/** A pause, in which the log may go into the database. */
const PAUSE_MS = 300
const RETRY_MS = 1_000
/** How soon a derived.db that another program removed is missed. */
const LOOK_MS = 1_000

/** Of one body, names of members included; each takes twelve bytes. 32 MiB as the service writes them hold fewer. */
const MOST_VALUES = 2_097_152

export interface AnalystPushes {
  judged(batch: JudgedBatch): void
  /** Deliveries that came back from the trash were analysed again; so many still wait. */
  rejudged(pending: number): void
  /** Nothing waits up to this id, which may itself have been deleted meanwhile. */
  caughtUp(upto: number): void
  /** The derived database failed in a way that only making it again mends. */
  derivedLost(reason: string): void
}

const tell = owner<AnalystPushes>()
let analyst: Analyst | undefined
let highest = 0
/** The last id that any delivery got; it may not be filed yet. */
let arrived = 0
let running = false
let begun = Number.NEGATIVE_INFINITY
let pause: NodeJS.Timeout | undefined
/** The one whose files are known to be gone. */
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
    // A delivery beyond these may have arrived after a change of the masked names, which come with the next wake.
    const batch = analyst.step(busy ? undefined : ROWS_IN_PEACE, upto)
    if (batch) {
      tell.judged(batch)
      const took = performance.now() - begun
      schedule(busy ? Math.ceil(took * REST) : 0)
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
  } catch (error) {
    failed(error)
  }
}

function failed(error: unknown): void {
  if (failureOf(error) === 'damage') tell.derivedLost(words(error))
  // Anything else may pass (a full disk, a lock); deliveries wait in captured.db meanwhile.
  else schedule(RETRY_MS)
}

function arrivalRate(): number {
  const now = performance.now()
  const elapsed = now - rate.at
  if (elapsed >= 200) rate = { at: now, arrived, perSecond: ((arrived - rate.arrived) * 1_000) / elapsed }
  return rate.perSecond
}

function lookForFiles(): void {
  const reason = analyst?.moved
  if (!reason || told === analyst) return
  told = analyst
  tell.derivedLost(reason)
}
setInterval(lookForFiles, LOOK_MS).unref()

const handlers = {
  /** @returns up to which id all are analysed */
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
  /** Deliveries up to this id exist; the analyst takes none beyond it, so each is indexed with names no older than itself. @param last the last id that the log gave */
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
    // Also when none waits: the owner counts them.
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

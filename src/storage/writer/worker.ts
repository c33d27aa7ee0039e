import { getPriority, setPriority } from 'node:os'
import type { AnnotateParams } from '#contract/annotations.ts'
import { refused } from '#contract/errors.ts'
import type { CoverageSpan, CoverageState } from '#contract/status.ts'
import type { LogPlace } from '#core/ports.ts'
import { expose, owner } from '#threads/expose.ts'
import { rest, worked } from '#threads/garbage.ts'
import { failureOf, type StoreFiles, told } from '../disk/files.ts'
import { keepReserve } from '../disk/space.ts'
import { inTransaction } from '../sql/connection.ts'
import { adoptUnsent, type By, type SavedUnsent, unsent } from './annotations.ts'
import { backUp } from './backup.ts'
import type { Captured, SavedPiece, SavedRow } from './captured.ts'
import type { Correction } from './corrections.ts'
import { enterState, extendTo, forgetJump, noteHole, replaceSpans } from './coverage.ts'
import { type Emptying, emptyTrash, type PruneParams, prune, restore, setQuotas, trash } from './deleting.ts'
import type { Followed } from './filing.ts'
import type { Quotas } from './intake.ts'
import type { WriterPushes } from './status.ts'
import type { TrashOrder } from './trash.ts'
import { Writer, type WriterOptions } from './writer.ts'

const RETRY_MS = 2_000
/** Interval of the check whether another program removed the database, while nothing arrives. */
const CHECK_MS = 1_000
const IDLE_MS = 150
/** Interval of the check whether the reserve has to be created. */
const RESERVE_MS = 5_000

/** Filing's pause while deliveries arrive, as a multiple of the time worked: it leaves the processor to intake. */
const REST = 2
/** Its pause when so many records wait: it cannot keep up with this burst, and would only slow down the senders. */
const REST_IN_BURST = 12
const BURST = 4_000
/** Longest wait at the end until all is filed; the next start files the rest. */
const END_MS = 5_000

/** On Linux each thread has its own niceness. Senders wait for the threads that receive and append, but not for this one. */
const NICENESS = 10

let writer: Writer | undefined
let idle: NodeJS.Timeout | undefined
let filing: NodeJS.Timeout | NodeJS.Immediate | undefined
let filed = { at: Number.NEGATIVE_INFINITY, took: 0 }
/** The log has grown since the last step. */
let arriving = false

// A user without rights cannot take back the niceness that they started Acuse with.
if (process.platform === 'linux') setPriority(Math.max(NICENESS, getPriority()))

function awaitPause(): void {
  if (idle) idle.refresh()
  else idle = setTimeout(whenPaused, IDLE_MS).unref()
}

function whenPaused(): void {
  writer?.idle()
  rest()
}

function file(): void {
  filing = undefined
  const began = performance.now()
  const count = writer?.file() ?? null
  if (count === null) return
  worked(count)
  filed = { at: performance.now(), took: performance.now() - began }
  awaitPause()
  fileLater()
}

/** Schedules the next step; without a pause when no more deliveries arrive. */
function fileLater(): void {
  if (filing) return
  const rest = arriving ? filed.took * ((writer?.waiting ?? 0) > BURST ? REST_IN_BURST : REST) : 0
  const wait = filed.at + rest - performance.now()
  arriving = false
  filing = wait > 0 ? setTimeout(file, wait) : setImmediate(file)
}

function open(): Writer {
  if (!writer) throw refused('store-failed', 'database-closed')
  return writer
}

/** @returns the error of a change as its caller sees it; damage gets the database replaced */
function failed(error: unknown): unknown {
  if (failureOf(error) === 'damage') writer?.failed(error)
  return told(error)
}

function changed<T>(change: (captured: Captured) => T): T {
  try {
    const result = change(open().captured)
    open().committed()
    return result
  } catch (error) {
    throw failed(error)
  }
}

/** Awaits a change in slices, between which arrivals are filed. */
async function sliced<T>(change: Promise<T>): Promise<T> {
  try {
    return await change
  } catch (error) {
    throw failed(error)
  } finally {
    awaitPause()
  }
}

function recover(): void {
  writer?.recover()
  if (!filing) file()
}

const handlers = {
  open(options: WriterOptions) {
    writer = new Writer(options, owner<WriterPushes>())
    const setAside = writer.open(options.now)
    setInterval(recover, RETRY_MS).unref()
    setInterval(() => writer?.check(), CHECK_MS).unref()
    setInterval(() => {
      if (writer?.status().state === 'ok') keepReserve(options.folder)
    }, RESERVE_MS).unref()
    return { status: writer.status(), setAside, ...writer.floor() }
  },
  /** Sets the log to file from. */
  follow(log: Followed, sweep: boolean): void {
    open().follow(log, sweep)
    file()
  },
  /** Tells that the log is on the disk up to a place. @param took ids and durations of earlier answers in microseconds, alternating */
  file(place: LogPlace, took: readonly number[]): void {
    writer?.synced(place, took)
    arriving = true
    fileLater()
  },
  /** @param took as for `file` */
  lasted(took: readonly number[]): void {
    writer?.corrections.lasted(took)
    awaitPause()
  },
  /** Copies the open database when another program removed or replaced its files; otherwise does nothing. */
  rescue: () => open().rescue(),
  /** Sets the lost database aside and opens its replacement. @returns null when the original files are back in place */
  async replace(now: number, reason: string) {
    const aside = await open().replace(now, reason)
    recover()
    return aside
  },
  /** Copies all databases into a folder, which must be empty. */
  backUp: (files: StoreFiles, folder: string) => backUp(open().captured.db, files, folder),
  /** Inserts a chunk of a salvaged body. */
  adoptPiece: ({ upload, seq, bytes, crc }: SavedPiece) => open().captured.addChunk(upload, seq, bytes, crc),
  pin: (ids: readonly number[], pinned: boolean, by: By) =>
    changed((captured) => captured.pin(ids, pinned, by)),
  /** @returns ids of the changed deliveries */
  annotate: (change: AnnotateParams, by: By) => changed((captured) => captured.annotate(change, by)),
  unsent: (after: number, limit: number) => unsent(open().captured.statements, after, limit),
  prune: (params: PruneParams) => sliced(prune(open(), params)),
  trash: (order: TrashOrder) => sliced(trash(open(), order)),
  restore: (batch: number) => sliced(restore(open(), batch)),
  emptyTrash: (which: Emptying) => sliced(emptyTrash(open(), which)),
  setQuotas(quotas: Quotas): void {
    open().quotas = quotas
    setQuotas(open(), quotas)
  },
  cover(state: CoverageState, at: number): void {
    open().record(({ db, statements }) => inTransaction(db, () => enterState(statements, state, at)))
  },
  replaceCoverage(spans: readonly CoverageSpan[]): void {
    open().record(({ db, statements }) => inTransaction(db, () => replaceSpans(statements, spans)))
  },
  /** Extends the current span of coverage, or records that the machine slept since `asleepSince`. */
  beat(at: number, asleepSince: number | null): void {
    const { db, statements } = open().captured
    inTransaction(db, () => {
      if (asleepSince !== null) noteHole(statements, 'asleep', at, true)
      else extendTo(statements, at)
    })
  },
  clockBack(ahead: number): void {
    const { db, statements } = open().captured
    inTransaction(db, () => forgetJump(statements, ahead))
  },
  /** Inserts salvaged deliveries. @param now when the salvage began, milliseconds since the epoch @returns how many were inserted */
  adopt(rows: readonly SavedRow[], now: number): number {
    const adopted = rows.filter((row) => open().captured.adopt(row, now)).length
    open().committed()
    return adopted
  },
  adoptUnsent: (saved: readonly SavedUnsent[]): number =>
    changed(({ db, statements }) => inTransaction(db, () => adoptUnsent(statements, saved))),
  /** Resolves when the correction is written or dropped. */
  correct(correction: Correction): Promise<void> {
    const written = open().corrections.add(correction)
    awaitPause()
    return written
  },
  /** Files the rest of the log for at most END_MS, then closes. @param place end of the log @param took as for `file` */
  async close(place: LogPlace, took: readonly number[]): Promise<void> {
    clearTimeout(idle)
    writer?.synced(place, took)
    for (const until = performance.now() + END_MS; performance.now() < until; )
      if (writer?.file() === null) break
    writer?.idle()
    await writer?.rescueBeforeEnd(Date.now())
    writer?.close()
    writer = undefined
  },
}

export type WriterHandlers = typeof handlers
expose(handlers)

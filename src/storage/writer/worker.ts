import { setPriority } from 'node:os'
import type { AnnotateParams } from '#contract/annotations.ts'
import { AcuseError } from '#contract/errors.ts'
import type { CoverageState } from '#contract/status.ts'
import type { LogPlace } from '#core/ports.ts'
import { expose, owner } from '#threads/expose.ts'
import { keepReserve } from '../disk/space.ts'
import { inTransaction } from '../sql/connection.ts'
import type { Captured, SavedPiece, SavedRow } from './captured.ts'
import type { Correction } from './corrections.ts'
import { enterState, extendTo, noteHole } from './coverage.ts'
import { type Emptying, emptyTrash, type PruneParams, prune, restore, setQuotas, trash } from './deleting.ts'
import type { Followed } from './filing.ts'
import type { Quotas } from './intake.ts'
import type { WriterPushes } from './status.ts'
import type { TrashOrder } from './trash.ts'
import { Writer, type WriterOptions } from './writer.ts'

const RETRY_MS = 2_000
/** How soon a database that another program removed is missed while nothing arrives. */
const LOOK_MS = 1_000
const IDLE_MS = 150
/** How soon the reserve is made after the start, and again once there is room. */
const RESERVE_MS = 5_000

/** A lone delivery is filed at once, those of so many milliseconds of a stream together: each transaction writes nearly the same pages. */
const APART_MS = 20
/** While deliveries arrive, filing rests so long for each unit of work: it leaves the processor to intake. */
const REST = 2
/** How long an end waits until all is filed; the next start files the rest. */
const END_MS = 5_000

/** Of this thread, on Linux, where each thread has one: senders wait for the threads that receive and append, none waits for this one. */
const NICENESS = 10

let writer: Writer | undefined
let idle: NodeJS.Timeout | undefined
let filing: NodeJS.Timeout | NodeJS.Immediate | undefined
let filed = { at: Number.NEGATIVE_INFINITY, took: 0 }
/** More came into the log since the last step. */
let arriving = false

if (process.platform === 'linux') setPriority(NICENESS)

function awaitPause(): void {
  if (idle) idle.refresh()
  else idle = setTimeout(() => writer?.idle(), IDLE_MS).unref()
}

function file(): void {
  filing = undefined
  const began = performance.now()
  if ((writer?.file() ?? null) === null) return
  filed = { at: performance.now(), took: performance.now() - began }
  awaitPause()
  fileLater()
}

/** What a burst left is filed without rest. */
function fileLater(): void {
  if (filing) return
  const rest = arriving ? Math.max(APART_MS, filed.took * REST) : 0
  const wait = filed.at + rest - performance.now()
  arriving = false
  filing = wait > 0 ? setTimeout(file, wait) : setImmediate(file)
}

function open(): Writer {
  if (!writer) throw new AcuseError('store-failed', 'The database is not open.')
  return writer
}

function changed<T>(change: (captured: Captured) => T): T {
  const result = change(open().captured)
  open().committed()
  return result
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
    setInterval(() => writer?.look(), LOOK_MS).unref()
    setInterval(() => {
      if (writer?.status().state === 'ok') keepReserve(options.folder)
    }, RESERVE_MS).unref()
    return { status: writer.status(), setAside, ...writer.floor() }
  },
  /** From where deliveries are filed. */
  follow(log: Followed, sweep: boolean): void {
    open().follow(log, sweep)
    file()
  },
  /** All up to a place is in the log. @param took ids and microseconds in turn: how long earlier answers took */
  file(place: LogPlace, took: readonly number[]): void {
    writer?.synced(place, took)
    arriving = true
    fileLater()
  },
  /** @param took as in `file` */
  lasted(took: readonly number[]): void {
    writer?.corrections.lasted(took)
    awaitPause()
  },
  /** Copies a database whose files another program removed or replaced, from what is still open; nothing to do for any other. */
  rescue: () => open().rescue(),
  /** Sets the lost database aside and opens what takes its place. @returns null when its files are back where they were */
  async replace(now: number, reason: string) {
    const aside = await open().replace(now, reason)
    recover()
    return aside
  },
  /** A piece of a body that is salvaged. */
  adoptPiece: ({ upload, seq, bytes, crc }: SavedPiece) => open().captured.addChunk(upload, seq, bytes, crc),
  pin: (ids: readonly number[], pinned: boolean) => changed((captured) => captured.pin(ids, pinned)),
  /** @param at milliseconds since the epoch @returns those that changed */
  annotate: (change: AnnotateParams, at: number) => changed((captured) => captured.annotate(change, at)),
  prune: (params: PruneParams) => prune(open(), params).finally(awaitPause),
  trash: (order: TrashOrder) => trash(open(), order),
  restore: (batch: number) => restore(open(), batch),
  emptyTrash: (which: Emptying) => emptyTrash(open(), which).finally(awaitPause),
  setQuotas(quotas: Quotas): void {
    open().quotas = quotas
    setQuotas(open(), quotas)
  },
  cover(state: CoverageState, at: number): void {
    open().record(({ db, statements }) => inTransaction(db, () => enterState(statements, state, at)))
  },
  /** Moves the end of the present stretch; with `asleepSince`, a hole is noted between two instants. */
  beat(at: number, asleepSince: number | null): void {
    const { db, statements } = open().captured
    inTransaction(db, () => {
      if (asleepSince !== null) noteHole(statements, 'asleep', at, true)
      else extendTo(statements, at)
    })
  },
  /** Deliveries with their old ids. @param now when the salvage began, milliseconds since the epoch @returns how many went in */
  adopt(rows: readonly SavedRow[], now: number): number {
    const adopted = rows.filter((row) => open().captured.adopt(row, now)).length
    open().committed()
    return adopted
  },
  /** Replies when it is written, or given up. */
  correct(correction: Correction): Promise<void> {
    const written = open().corrections.add(correction)
    awaitPause()
    return written
  },
  /** @param place of the log's end; what stands before it is filed first, as far as that goes @param took as in `file` */
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

import type { AnnotateParams } from '#contract/annotations.ts'
import { AcuseError } from '#contract/errors.ts'
import type { CoverageState } from '#contract/status.ts'
import { expose, owner } from '#threads/expose.ts'
import { keepReserve } from '../disk/space.ts'
import { inTransaction } from '../sql/connection.ts'
import type { Batch } from '../wire/record.ts'
import type { SavedRow } from './captured.ts'
import type { Correction } from './corrections.ts'
import { enterState, extendTo, noteHole } from './coverage.ts'
import { type Emptying, emptyTrash, type PruneParams, prune, restore, setQuotas, trash } from './deleting.ts'
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

let writer: Writer | undefined
let took: readonly number[] = []
let idle: NodeJS.Timeout | undefined

function whenIdle(): void {
  const pending = took
  took = []
  writer?.idle(pending)
}

function awaitPause(): void {
  if (idle) idle.refresh()
  else idle = setTimeout(whenIdle, IDLE_MS).unref()
}

function open(): Writer {
  if (!writer) throw new AcuseError('store-failed', 'The database is not open.')
  return writer
}

function recover(): void {
  if (writer?.recover()) setImmediate(recover)
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
    return { status: writer.status(), setAside }
  },
  /** One commit. @param lasted ids and microseconds in turn: how long earlier answers took */
  append(batch: Batch, lasted: readonly number[]) {
    const before = open().status().highestId
    const pending = [...took, ...lasted]
    took = []
    const [outcome = { type: 'refused' as const, reason: 'The batch has no outcome.' }] = open().append(
      [batch],
      pending,
    )
    const status = open().status()
    awaitPause()
    // Within a commit ids follow each other without a gap.
    const arrived = status.highestId > before ? { firstId: before + 1, lastId: status.highestId } : null
    return { outcome, status, arrived }
  },
  /** Copies a database whose files another program removed or replaced, from what is still open; nothing to do for any other. */
  rescue: () => open().rescue(),
  /** Sets the lost database aside and opens what takes its place. @returns null when its files are back where they were */
  async replace(now: number, reason: string) {
    const aside = await open().replace(now, reason)
    recover()
    return aside
  },
  chunk(upload: string, seq: number, bytes: Uint8Array): Uint8Array {
    open().chunk(upload, seq, bytes)
    return bytes
  },
  abandon: (upload: string) => open().abandon(upload),
  pin: (ids: readonly number[], pinned: boolean) => open().captured.pin(ids, pinned),
  /** @param at milliseconds since the epoch @returns those that changed */
  annotate: (change: AnnotateParams, at: number) => open().captured.annotate(change, at),
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
    const written = open().correct(correction)
    awaitPause()
    return written
  },
  /** @param lasted as in `append` */
  async close(lasted: readonly number[]): Promise<void> {
    clearTimeout(idle)
    took = [...took, ...lasted]
    whenIdle()
    await writer?.rescueBeforeEnd(Date.now())
    writer?.close()
    writer = undefined
  },
}

export type WriterHandlers = typeof handlers
expose(handlers)

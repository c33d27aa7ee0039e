import { parentPort, receiveMessageOnPort } from 'node:worker_threads'
import { keepReserve } from '../reserve.ts'
import { inTransaction } from '../sql/connection.ts'
import { answerCall, type CallMessage, isCall } from '../wire/link.ts'
import { enterState, extendTo, noteHole } from './coverage.ts'
import { emptyTrash, prune, restore, setQuotas, trash } from './deleting.ts'
import type { BatchMessage, WriterCalls, WriterMessage } from './protocol.ts'
import { Writer } from './writer.ts'

/** The most deliveries of one transaction: beyond it the first of them would wait too long for the last. */
const ROWS_PER_COMMIT = 2_048
const RETRY_MS = 2_000
/** How soon a database that another program removed is missed while nothing arrives. */
const LOOK_MS = 1_000
const IDLE_MS = 150
/** How soon the reserve is made after the start, and again once there is room. */
const RESERVE_MS = 5_000

const port = parentPort
if (!port) throw new Error('started without a parent')

const say = (message: WriterMessage) => port.postMessage(message)
let writer: Writer | undefined
let took: number[] = []
let idle: NodeJS.Timeout | undefined

/** Writes down behind the answers how long they took, and checkpoints. */
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
  if (!writer) throw new Error('not open')
  return writer
}

function recover(): void {
  if (writer?.recover()) setImmediate(recover)
}

const calls: WriterCalls = {
  open(options) {
    writer = new Writer(options, say)
    const setAside = writer.open(options.now)
    setInterval(recover, RETRY_MS).unref()
    setInterval(() => writer?.look(), LOOK_MS).unref()
    setInterval(() => {
      if (writer?.status().state === 'ok') keepReserve(options.folder)
    }, RESERVE_MS).unref()
    return { status: writer.status(), setAside }
  },
  rescue: () => open().rescue(),
  async replace(now, reason) {
    const aside = await open().replace(now, reason)
    recover()
    return aside
  },
  chunk(upload, seq, bytes) {
    open().chunk(upload, seq, bytes)
    return bytes
  },
  abandon: (upload) => open().abandon(upload),
  pin: (ids, pinned) => open().captured.pin(ids, pinned),
  annotate: (change, at) => open().captured.annotate(change, at),
  prune: (params) => prune(open(), params).finally(awaitPause),
  trash: (order) => trash(open(), order),
  restore: (batch) => restore(open(), batch),
  emptyTrash: (which) => emptyTrash(open(), which).finally(awaitPause),
  setQuotas(quotas) {
    open().quotas = quotas
    setQuotas(open(), quotas)
  },
  cover(state, at) {
    open().record(({ db, statements }) => inTransaction(db, () => enterState(statements, state, at)))
  },
  beat(at, asleepSince) {
    const { db, statements } = open().captured
    inTransaction(db, () => {
      if (asleepSince !== null) noteHole(statements, 'asleep', at, true)
      else extendTo(statements, at)
    })
  },
  adopt(rows, now) {
    const adopted = rows.filter((row) => open().captured.adopt(row, now)).length
    open().committed()
    return adopted
  },
  correct(correction) {
    const written = open().correct(correction)
    awaitPause()
    return written
  },
  async close() {
    clearTimeout(idle)
    whenIdle()
    await writer?.rescueBeforeEnd(Date.now())
    writer?.close()
    writer = undefined
  },
}

/** Takes everything that waits on the port, so that one transaction serves all of it. */
function drain(first: BatchMessage | CallMessage): void {
  const batches: BatchMessage[] = []
  let rows = 0
  let message: BatchMessage | CallMessage | undefined = first
  while (message && !isCall(message)) {
    batches.push(message)
    rows += message.batch.count
    if (rows >= ROWS_PER_COMMIT) break
    message = receiveMessageOnPort(port ?? raise())?.message
    if (message === undefined) break
  }
  if (batches.length > 0) commit(batches)
  if (message && isCall(message)) void answerCall(port ?? raise(), calls, message)
}

function commit(batches: readonly BatchMessage[]): void {
  for (const batch of batches) if (batch.took.length > 0) took.push(...batch.took)
  const pending = took
  took = []
  const before = open().status().highestId
  const outcomes = open().append(
    batches.map(({ batch }) => batch),
    pending,
  )
  const status = open().status()
  say({ event: 'committed', outcomes, status })
  // Within a commit ids follow each other without a gap.
  if (status.highestId > before) say({ event: 'arrived', firstId: before + 1, lastId: status.highestId })
  awaitPause()
}

function raise(): never {
  throw new Error('started without a parent')
}

port.on('message', drain)

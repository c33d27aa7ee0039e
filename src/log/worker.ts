import { AcuseError, messageOf } from '#contract/errors.ts'
import { fileTrouble } from '#core/file-trouble.ts'
import type { LogPlace } from '#core/ports.ts'
import { expose } from '#threads/expose.ts'
import { folderOf } from './disk.ts'
import { type Floor, type NewRecord, SegmentLog } from './log.ts'

/** Records of one message in one memory block, which moves into the thread. */
export interface Batch {
  readonly bytes: ArrayBuffer
  /** For each record: its length, its kind, and 1 where it takes an id. */
  readonly table: Uint32Array<ArrayBuffer>
}

/** The ids of the numbered records, in order, and how far the log is on the disk. */
export interface Synced {
  readonly ids: readonly number[]
  readonly place: LogPlace
}

/** Batches of several messages share a sync up to so many bytes. */
const BYTES_AT_ONCE = 8 * 1024 * 1024
/** How soon room is made ahead; between its steps as long as one takes. */
const PREPARE_MS = 20
/** How soon a segment that another program removed is missed while nothing is appended. */
const LOOK_MS = 1_000

interface Waiting {
  readonly bytes: ArrayBuffer
  readonly records: readonly NewRecord[]
  resolve(synced: Synced): void
  reject(error: unknown): void
}

let log: SegmentLog | undefined
const waiting: Waiting[] = []
let preparing: NodeJS.Timeout | undefined

function open(): SegmentLog {
  if (!log) throw new AcuseError('store-failed', 'The log is not open.')
  return log
}

const words = (error: unknown): string =>
  error instanceof Error && 'syscall' in error ? fileTrouble(error, 'written') : messageOf(error)

/** Appends all that waits, with one sync where it is not too much. */
function flush(): void {
  while (waiting.length > 0) {
    const together: Waiting[] = []
    for (let bytes = 0; waiting.length > 0 && bytes < BYTES_AT_ONCE; ) {
      const next = waiting.shift()
      if (!next) break
      together.push(next)
      bytes += next.records.reduce((sum, record) => sum + record.bytes.byteLength, 0)
    }
    try {
      const ids = open().append(together.flatMap(({ records }) => records))
      const { place } = open()
      for (const { records, resolve } of together)
        resolve({ ids: ids.splice(0, records.filter(({ numbered }) => numbered).length), place })
    } catch (error) {
      const failure = new AcuseError('store-failed', `The log cannot be written: ${words(error)}.`)
      for (const { reject } of together) reject(failure)
    }
    // Given back at once: V8 would let some 50 MB gather before it collects them.
    for (const { bytes } of together) bytes.transfer(0)
  }
  prepareLater(PREPARE_MS)
}

function prepareLater(ms: number): void {
  preparing ??= setTimeout(prepare, ms).unref()
}

async function prepare(): Promise<void> {
  const began = performance.now()
  // Room ahead is for speed, and for a full disk; an append that finds none says so itself.
  const more = await log?.prepare().catch(() => false)
  preparing = undefined
  if (more) prepareLater(performance.now() - began)
}

function look(): void {
  try {
    log?.look()
  } catch {
    // The next append meets the same trouble, and says so.
  }
}

const handlers = {
  /** @throws AcuseError `store-failed` when the folder cannot be used */
  open(folder: string, floor: Floor, promised: number) {
    try {
      log = new SegmentLog(folderOf(folder), { floor, promised })
    } catch (error) {
      throw new AcuseError('store-failed', `The log in ${folder} cannot be used: ${words(error)}.`, {
        folder,
      })
    }
    prepareLater(0)
    setInterval(look, LOOK_MS).unref()
    return { place: log.place, identity: log.identity, tornBytes: log.tornBytes }
  },
  /** Resolves once all records are on the disk. @throws the system's error; none of them counts then */
  append({ bytes, table }: Batch): Promise<Synced> {
    const records: NewRecord[] = []
    for (let i = 0, at = 0; i < table.length; i += 3) {
      const length = table[i] ?? 0
      records.push({
        kind: table[i + 1] ?? 0,
        numbered: table[i + 2] === 1,
        bytes: Buffer.from(bytes, at, length),
      })
      at += length
    }
    return new Promise((resolve, reject) => {
      // The messages that wait behind this one share its sync.
      if (waiting.push({ bytes, records, resolve, reject }) === 1) setImmediate(flush)
    })
  },
  /** Frees segments whose records are all at or before a position. */
  trim(upTo: number): void {
    try {
      log?.trim(upTo)
    } catch {
      // On Windows a file that a reader has open cannot be removed; the next start finds it.
    }
  },
  close(): void {
    clearTimeout(preparing)
    log?.close()
    log = undefined
  },
}

export type LogHandlers = typeof handlers
expose(handlers)

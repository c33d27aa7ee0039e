import { AcuseError, messageOf } from '#contract/errors.ts'
import { fileTrouble } from '#core/file-trouble.ts'
import type { LogPlace } from '#core/ports.ts'
import { expose } from '#threads/expose.ts'
import { folderOf } from './disk.ts'
import { type Floor, type NewRecord, SegmentLog } from './log.ts'

/** Records of one message in one block of memory, which is transferred to the thread. */
export interface Batch {
  readonly bytes: ArrayBuffer
  /** For each record: length, kind, and 1 if it is numbered. */
  readonly table: Uint32Array<ArrayBuffer>
}

/** Ids of the numbered records, in order, and the place up to which the log is on the disk. */
export interface Synced {
  readonly ids: readonly number[]
  readonly place: LogPlace
}

/** Limit of bytes from several messages that share a sync. */
const BYTES_AT_ONCE = 8 * 1024 * 1024
/** Delay of allocation after an append. Between its steps, the pause is as long as the last step. */
const PREPARE_MS = 20
/** Interval of the check whether another program removed the segment. */
const CHECK_MS = 1_000

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

/** Appends all waiting batches, with one sync per BYTES_AT_ONCE. */
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
    // Frees the memory at once: V8 would let some 50 MB pile up before a collection.
    for (const { bytes } of together) bytes.transfer(0)
  }
  prepareLater(PREPARE_MS)
}

function prepareLater(ms: number): void {
  preparing ??= setTimeout(prepare, ms).unref()
}

async function prepare(): Promise<void> {
  const began = performance.now()
  // Allocation ahead is only an optimization; an append without space reports its own failure.
  const more = await log?.prepare().catch(() => false)
  preparing = undefined
  if (more) prepareLater(performance.now() - began)
}

function check(): void {
  try {
    log?.check()
  } catch {
    // The next append meets the same failure and reports it.
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
    setInterval(check, CHECK_MS).unref()
    return { place: log.place, identity: log.identity, tornBytes: log.tornBytes }
  },
  /** Resolves when all records are on the disk. @throws AcuseError `store-failed`; then none of them counts */
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
      // Messages that arrive in this turn share its sync.
      if (waiting.push({ bytes, records, resolve, reject }) === 1) setImmediate(flush)
    })
  },
  /** Frees segments whose records all have positions up to `upTo`. */
  trim(upTo: number): void {
    try {
      log?.trim(upTo)
    } catch {
      // Windows cannot remove a file that a reader has open; the next start finds it.
    }
  },
  close(): void {
    clearTimeout(preparing)
    // Filing may still need a segment that another program removed.
    check()
    log?.close()
    log = undefined
  },
}

export type LogHandlers = typeof handlers
expose(handlers)

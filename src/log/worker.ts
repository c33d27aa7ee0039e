import { AcuseError, messageOf } from '#contract/errors.ts'
import { fileTrouble } from '#core/file-trouble.ts'
import type { LogPlace } from '#core/ports.ts'
import { expose } from '#threads/expose.ts'
import { folderOf } from './disk.ts'
import { type Floor, SegmentLog } from './log.ts'

/** Delay of allocation after an append. Between its steps, the pause is as long as the last step. */
const PREPARE_MS = 20
/** Interval of the check whether another program removed the segment. */
const CHECK_MS = 1_000

let log: SegmentLog | undefined
let place = ''
/** Memory that the owner fills with frames. */
let shared: Buffer = Buffer.alloc(0)
let preparing: NodeJS.Timeout | undefined

function open(): SegmentLog {
  if (!log) throw new AcuseError('store-failed', 'The log is not open.')
  return log
}

const words = (error: unknown): string =>
  error instanceof Error && 'syscall' in error ? fileTrouble(error, 'written') : messageOf(error)

const unwritten = (error: unknown): AcuseError =>
  new AcuseError('store-failed', `The log in ${place} cannot be written: ${words(error)}.`)

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
  open(folder: string, floor: Floor, promised: number, memory: SharedArrayBuffer) {
    shared = Buffer.from(memory)
    place = folder
    try {
      log = new SegmentLog(folderOf(folder), { floor, promised })
    } catch (error) {
      throw new AcuseError('store-failed', `The log in ${folder} cannot be used: ${words(error)}.`, {
        folder,
      })
    }
    prepareLater(0)
    setInterval(check, CHECK_MS).unref()
    return { place: log.place, identity: log.identity, tornBytes: log.tornBytes, cut: log.cut }
  },
  /**
   * Returns when all records are on the disk. @param frames their bytes, or how many bytes of the shared memory they take
   * @returns the place of the last one @throws AcuseError `store-failed`; then none of them counts
   */
  append(frames: Uint8Array<ArrayBuffer> | number): LogPlace {
    try {
      if (typeof frames === 'number') open().commit(shared.subarray(0, frames))
      else open().commit(Buffer.from(frames.buffer))
      return open().place
    } catch (error) {
      throw unwritten(error)
    } finally {
      // Frees the memory at once: V8 would let some 50 MB pile up before a collection.
      if (typeof frames !== 'number') frames.buffer.transfer(0)
      prepareLater(PREPARE_MS)
    }
  },
  /** Returns when as much as a large record could be written. @throws AcuseError `store-failed` */
  prove(): void {
    try {
      open().prove()
    } catch (error) {
      throw unwritten(error)
    }
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

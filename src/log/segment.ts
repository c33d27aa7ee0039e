import { systemCode } from '#core/file-trouble.ts'
import type { Disk, LogFile } from './disk.ts'
import { announced, type Frame, HEAD, MAGIC, readFrame } from './frame.ts'

/** Number, and the log's own first epoch, by which its frames are known. */
const NAME = /^(\d{10})-([0-9a-f]{10})\.segment$/
const WINDOW = 1024 * 1024
/** The first of several reads in a row; each takes twice as much as the one before it. */
const FIRST_WINDOW = 64 * 1024
/** Openings and reuses of segments that one log can have. The first epoch is random, so that no sender can guess one. */
const EPOCHS = 2 ** 32

export function nameOf(number: number, firstEpoch: number): string {
  return `${String(number).padStart(10, '0')}-${firstEpoch.toString(16).padStart(10, '0')}.segment`
}

/** Names of the segments in a folder, in the order in which they were made. */
export function segmentNames(disk: Disk): string[] {
  return disk
    .list()
    .filter((name) => NAME.test(name))
    .sort()
}

/** @param name of a segment */
export function partsOf(name: string): { readonly number: number; readonly firstEpoch: number } {
  const [, number, epoch] = NAME.exec(name) ?? []
  return { number: Number(number), firstEpoch: Number.parseInt(epoch ?? '', 16) }
}

export type Found =
  /** Its position shows whether records before it are missing. */
  | { readonly type: 'frame'; readonly frame: Frame; readonly end: number }
  /** The rest of a write that had not ended: no sender was answered for it. */
  | { readonly type: 'torn'; readonly bytes: number }

/**
 * Reads the frames of one segment in order, up to where older frames, zeros or a torn write follow. Never takes bytes of a payload for
 * a frame that they imitate: an epoch cannot be guessed.
 */
export class SegmentReader {
  readonly #file: LogFile
  readonly #firstEpoch: number
  #size: number
  #at = 0
  /** The frame before; undefined at the beginning of a segment that may have been recycled. */
  #last: Pick<Frame, 'epoch' | 'position'> | undefined
  /** Used for every window: V8 would let some 50 MB of them gather before it collects them. */
  #memory = Buffer.alloc(0)
  #window = this.#memory
  #windowAt = 0
  #ahead = FIRST_WINDOW
  #ended = false

  /** @param name of the segment */
  constructor(file: LogFile, name: string) {
    this.#file = file
    this.#firstEpoch = partsOf(name).firstEpoch
    this.#size = file.size()
  }

  /** @returns undefined at the end */
  next(): Found | undefined {
    if (this.#ended) return undefined
    const here = this.#frameAt(this.#at)
    if (here && this.#follows(here.frame)) return this.#take(here)
    this.#ended = true
    // A whole older frame: the segment is in use again, and this is as far as that has come.
    if (here) return undefined
    // Damage, or a write of which the disk kept only a part: the disk does not say which, and what is whole has arrived.
    const found = this.#search()
    this.#ended = found === undefined
    if (found) return this.#take(found)
    const bytes = this.#torn()
    return bytes > 0 ? { type: 'torn', bytes } : undefined
  }

  #take(found: { frame: Frame; end: number }): Found {
    this.#at = found.end
    this.#last = { epoch: found.frame.epoch, position: found.frame.position }
    return { type: 'frame', frame: found.frame, end: found.end }
  }

  /** Forgets what it read ahead: zeros, an older frame or a refused one may have been written over meanwhile. */
  refresh(): void {
    this.#window = Buffer.alloc(0)
    this.#ahead = FIRST_WINDOW
    this.#size = this.#file.size()
  }

  #follows(frame: Frame): boolean {
    const last = this.#last
    return this.#isOurs(frame.epoch) && (!last || frame.position === last.position + 1)
  }

  #isOurs(epoch: number): boolean {
    return epoch >= (this.#last?.epoch ?? this.#firstEpoch) && epoch < this.#firstEpoch + EPOCHS
  }

  /** The next whole frame behind a place where there is none. */
  #search(): { frame: Frame; end: number } | undefined {
    // Most damage leaves the head readable, and with it the place of the next frame.
    const length = announced(this.#bytes(this.#at, HEAD))
    const next = length === undefined ? undefined : this.#laterFrame(this.#at + HEAD + length)
    if (next) return next
    for (const at of placesOf(MAGIC, this.#at + 1, this.#size, (from, length) => this.#bytes(from, length))) {
      const found = this.#laterFrame(at)
      if (found) return found
    }
    return undefined
  }

  #laterFrame(at: number): { frame: Frame; end: number } | undefined {
    const head = this.#bytes(at, HEAD)
    // Most are older frames of a segment in use again. Their heads say so, and the rest need not be read.
    if (announced(head) === undefined || !this.#isOurs(head.readDoubleLE(16))) return undefined
    const found = this.#frameAt(at)
    if (!found || !this.#isOurs(found.frame.epoch)) return undefined
    return found.frame.position > (this.#last?.position ?? 0) ? found : undefined
  }

  /** So many bytes of an unfinished write stand here. */
  #torn(): number {
    const head = this.#bytes(this.#at, HEAD)
    const length = announced(head)
    if (length === undefined || !this.#isOurs(head.readDoubleLE(16))) return 0
    return Math.min(HEAD + length, this.#size - this.#at)
  }

  #frameAt(at: number): { frame: Frame; end: number } | undefined {
    const head = this.#bytes(at, HEAD)
    const length = announced(head)
    if (length === undefined) return undefined
    const end = at + HEAD + length
    if (end > this.#size) return undefined
    // A copy: the window is filled anew while the payload is still in use.
    const whole = Buffer.from(this.#bytes(at, HEAD + length))
    const frame = readFrame(whole.subarray(0, HEAD), whole.subarray(HEAD))
    return frame && { frame, end }
  }

  #bytes(at: number, length: number): Buffer {
    const from = at - this.#windowAt
    if (from < 0 || from + length > this.#window.byteLength) {
      const wanted = Math.max(0, Math.min(Math.max(this.#ahead, length), this.#size - at))
      this.#ahead = Math.min(WINDOW, this.#ahead * 2)
      if (this.#memory.byteLength < wanted) this.#memory = Buffer.allocUnsafeSlow(wanted)
      const window = this.#memory.subarray(0, wanted)
      this.#window = window.subarray(0, this.#file.read(window, at))
      this.#windowAt = at
    }
    const begin = at - this.#windowAt
    return this.#window.subarray(begin, begin + length)
  }
}

/** Where a magic number stands in a file, from a place on. @param bytes reads so many */
export function* placesOf(
  magic: number,
  from: number,
  size: number,
  bytes: (at: number, length: number) => Buffer,
): Generator<number> {
  const wanted = Buffer.alloc(4)
  wanted.writeUInt32LE(magic)
  for (let at = from; at < size; at += WINDOW) {
    // A copy, since what is found is read in between; three bytes of overlap: the magic may lie across two windows.
    const window = Buffer.from(bytes(at, Math.min(WINDOW + 3, size - at)))
    for (let i = window.indexOf(wanted); i >= 0 && i < WINDOW; i = window.indexOf(wanted, i + 1)) yield at + i
  }
}

/** @returns undefined where the log has removed the segment meanwhile */
export function openSegment(disk: Disk, name: string): LogFile | undefined {
  try {
    return disk.open(name)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** The first frame of a segment, which says where it stands in the log; undefined where it holds none. */
export function firstFrame(disk: Disk, name: string): Frame | undefined {
  const file = openSegment(disk, name)
  try {
    const found = file && new SegmentReader(file, name).next()
    return found?.type === 'frame' ? found.frame : undefined
  } finally {
    file?.close()
  }
}

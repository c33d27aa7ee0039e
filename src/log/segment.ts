import { systemCode } from '#core/file-trouble.ts'
import type { Disk, LogFile } from './disk.ts'
import { announced, epochIn, type Frame, HEAD, LONGEST, MAGIC, positionIn, readFrame } from './frame.ts'

/** Number of the segment, and the log's first epoch, which identifies its frames. */
const NAME = /^(\d{10})-([0-9a-f]{10})\.segment$/
const WINDOW = 1024 * 1024
/** Size of the first of several sequential reads; each further read doubles it, up to WINDOW. */
const FIRST_WINDOW = 64 * 1024
/** Room for the payloads of one slice of filing. */
const COPIED = WINDOW + WINDOW / 4
/** Epochs of one log: each open and each reuse of a segment takes one. The first is random. */
const EPOCHS = 2 ** 32

export function nameOf(number: number, firstEpoch: number): string {
  return `${String(number).padStart(10, '0')}-${firstEpoch.toString(16).padStart(10, '0')}.segment`
}

/** Names of the segments in a folder, in order of creation. */
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
  /** A gap in positions shows that records before it are missing. */
  | { readonly type: 'frame'; readonly frame: Frame; readonly end: number }
  /** The rest of an unfinished write, or a damaged last record: nothing distinguishes them. */
  | { readonly type: 'torn'; readonly bytes: number }

/** Copies of payloads in memory that is used again: V8 would let some 60 MB of separate ones pile up before a collection. */
export class Copies {
  #memory: Buffer | undefined
  #used = 0

  of(bytes: Buffer): Buffer {
    this.#memory ??= Buffer.allocUnsafeSlow(COPIED)
    const from = this.#used
    if (from + bytes.byteLength > COPIED) return Buffer.from(bytes)
    this.#used += bytes.copy(this.#memory, from)
    return this.#memory.subarray(from, this.#used)
  }

  /** Gives the memory of all copies to the next ones. */
  drop(): void {
    this.#used = 0
  }
}

/**
 * Reads the frames of one segment in order, up to older frames, zeros or an unfinished write. It never mistakes payload bytes for a
 * frame, even if a sender imitates one: for its checksum, the sender would have to guess 32 random bits.
 */
export class SegmentReader {
  readonly #file: LogFile
  readonly #copies: Pick<Copies, 'of'>
  readonly #firstEpoch: number
  #size: number
  #at = 0
  /** The previous frame; undefined at the beginning of the segment. */
  #last: Pick<Frame, 'epoch' | 'position'> | undefined
  /** Buffer shared by all windows: V8 would let some 50 MB of separate ones pile up before a collection. */
  #memory = Buffer.alloc(0)
  #window = this.#memory
  #windowAt = 0
  #ahead = FIRST_WINDOW
  #ended = false

  /** @param name of the segment @param copies memory of the payloads; default: each has its own */
  constructor(file: LogFile, name: string, copies: Pick<Copies, 'of'> = { of: Buffer.from }) {
    this.#file = file
    this.#copies = copies
    this.#firstEpoch = partsOf(name).firstEpoch
    this.#size = file.size()
  }

  get size(): number {
    return this.#size
  }

  /** @returns undefined at the end */
  next(): Found | undefined {
    if (this.#ended) return undefined
    const here = this.#frameAt(this.#at)
    if (here && this.#follows(here.frame)) return this.#take(here)
    this.#ended = true
    // A complete older frame: the segment is being reused, and its new records end here.
    if (here) return undefined
    // Damage, or a partly written batch: nothing distinguishes them, and complete frames have arrived.
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

  /** The place of the first record, even of an unreadable one; undefined without readable records. Call it instead of `next`. */
  first(): Pick<Frame, 'epoch' | 'position'> | undefined {
    const found = this.next()
    if (found?.type !== 'frame') return undefined
    const { epoch, position, payload } = found.frame
    const head = this.#bytes(0, HEAD)
    const lost = positionIn(head)
    if (found.end === HEAD + payload.byteLength || (lost !== position - 1 && epochIn(head) !== epoch))
      return { epoch, position }
    return { epoch, position: Number.isInteger(lost) && lost > 0 && lost < position ? lost : position - 1 }
  }

  /** Drops the read-ahead: the log may have overwritten zeros, older frames or a failed write meanwhile. */
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

  /** Finds the next complete frame after a place without one. */
  #search(): { frame: Frame; end: number } | undefined {
    // After most damage the head is readable, and tells the place of the next frame.
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
    // Most are older frames of a reused segment; their heads show that, so the payload need not be read.
    if (announced(head) === undefined || !this.#isOurs(epochIn(head))) return undefined
    const found = this.#frameAt(at)
    if (!found || !this.#isOurs(found.frame.epoch)) return undefined
    return found.frame.position > (this.#last?.position ?? 0) ? found : undefined
  }

  /** @returns number of bytes of an unreadable record of this log at the current offset */
  #torn(): number {
    const head = this.#bytes(this.#at, HEAD)
    if (head.byteLength < HEAD) return 0
    const position = positionIn(head)
    const follows = this.#last
      ? position === this.#last.position + 1
      : Number.isInteger(position) && position > 0
    // One of these fields may be the damaged one. Zeros and old payloads have at most one by chance.
    const signs = [head.readUInt32LE(0) === MAGIC, this.#isOurs(epochIn(head)), follows]
    if (signs.filter(Boolean).length < 2) return 0
    const length = head.readUInt32LE(8)
    return Math.min(HEAD + (length <= LONGEST ? length : 0), this.#size - this.#at)
  }

  /** An unreadable record at the beginning of the segment without newer ones behind it. Call it instead of `next`. */
  unreadableStart():
    | { readonly epoch: number; readonly position: number; readonly bytes: number }
    | undefined {
    const head = Buffer.from(this.#bytes(0, HEAD))
    const bytes = this.#frameAt(0) ? 0 : this.#torn()
    if (bytes === 0) return undefined
    const [epoch, position] = [epochIn(head), positionIn(head)]
    const next = this.#search()?.frame
    const continued = next && (next.position === position + 1 || next.epoch === epoch)
    return continued ? undefined : { epoch, position, bytes }
  }

  #frameAt(at: number): { frame: Frame; end: number } | undefined {
    const head = this.#bytes(at, HEAD)
    const length = announced(head)
    if (length === undefined) return undefined
    const end = at + HEAD + length
    if (end > this.#size) return undefined
    // A copy, as the window's buffer is reused while the payload is in use.
    const whole = this.#copies.of(this.#bytes(at, HEAD + length))
    const frame = readFrame(whole.subarray(0, HEAD), whole.subarray(HEAD), this.#firstEpoch)
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

/** Offsets of a magic number in a file, from an offset on. @param bytes reads a range of the file */
export function* placesOf(
  magic: number,
  from: number,
  size: number,
  bytes: (at: number, length: number) => Buffer,
): Generator<number> {
  const wanted = Buffer.alloc(4)
  wanted.writeUInt32LE(magic)
  // A copy, since the caller reads in between. Three bytes of overlap, as the magic may span two windows.
  const copy = Buffer.allocUnsafeSlow(Math.max(0, Math.min(WINDOW + 3, size - from)))
  for (let at = from; at < size; at += WINDOW) {
    const window = copy.subarray(0, bytes(at, Math.min(WINDOW + 3, size - at)).copy(copy))
    for (let i = window.indexOf(wanted); i >= 0 && i < WINDOW; i = window.indexOf(wanted, i + 1)) yield at + i
  }
}

/** @returns undefined when the log has removed the segment meanwhile */
export function openSegment(disk: Disk, name: string): LogFile | undefined {
  try {
    return disk.open(name)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Reads a segment without keeping payloads, so none is copied: V8 would let copies of the whole segment pile up before a collection.
 * @returns undefined when the log has removed the segment meanwhile
 */
export function withReader<T>(disk: Disk, name: string, work: (reader: SegmentReader) => T): T | undefined {
  const file = openSegment(disk, name)
  try {
    return file && work(new SegmentReader(file, name, { of: (bytes) => bytes }))
  } finally {
    file?.close()
  }
}

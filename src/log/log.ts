import { randomInt } from 'node:crypto'
import { systemCode } from '#core/file-trouble.ts'
import type { LogPlace, LogRecord } from '#core/ports.ts'
import { type Disk, type LogFile, ZEROS } from './disk.ts'
import { complete, frame, framedSize } from './frame.ts'
import { placeSegments } from './reader.ts'
import { nameOf, openSegment, partsOf, segmentNames, withReader } from './segment.ts'

/** Position and id that are known to be assigned. With `log`, the position is valid only in the log of that identity. */
export interface Floor extends LogPlace {
  readonly log?: number
}

export interface LogOptions {
  /** Lower bound, even when the segments end before it. */
  readonly floor: Floor
  /** Highest id that may have been assigned; used when no segment has records, or another program has cut the log. */
  readonly promised?: number
  readonly segmentBytes?: number
}

interface Current {
  readonly name: string
  readonly file: LogFile
  /** Position of the segment's first record. */
  readonly first: number
  at: number
  /** Offset up to which the file is zeroed. A write beyond it extends the file, and its sync is slower than that of overwriting. */
  allocated: number
}

/** Stays open until it is freed, so that its content can be restored when another program removes the file. */
interface Sealed extends Pick<Current, 'name' | 'file'> {
  /** Bytes of its records. */
  readonly at: number
  readonly last: number
  /** A write or sync failed, so the segment is never written again. */
  readonly bad: boolean
}

const SEGMENT_BYTES = 64 * 1024 * 1024
/** Segments to keep for reuse. */
const SPARES = 1
/** Bytes to allocate ahead, for appends on a full disk. The amount grows with the appended bytes, up to the rest of two segments. */
const AHEAD = 8 * 1024 * 1024
/** Upper bound of that amount, as a share of the free space. */
const OF_FREE = 1 / 8

/**
 * The durable log: records in segments of a fixed size, which are allocated ahead and reused. Independent of threads: a worker and tests
 * call it.
 */
export class SegmentLog {
  /** Bytes of unreadable records at the end of the log: an unfinished write, whose senders got no answer, unless the disk changed them. */
  readonly tornBytes: number
  /** Ids that are never assigned again, because another program has cut the log and with it perhaps their deliveries. */
  readonly cut: { readonly from: number; readonly to: number } | undefined
  readonly #disk: Disk
  readonly #firstEpoch: number
  readonly #segmentBytes: number
  /** Number of the newest segment. */
  #created: number
  #appended = 0
  #epoch: number
  #place: LogPlace
  #current: Current | undefined
  #sealed: Sealed[] = []
  #spares: string[] = []
  #preparing: string | undefined

  /** @throws the system's error */
  constructor(disk: Disk, { floor: known, promised = 0, segmentBytes = SEGMENT_BYTES }: LogOptions) {
    this.#disk = disk
    this.#segmentBytes = segmentBytes
    const placed = placeSegments(disk)
    const names = new Set(placed.map(({ name }) => name))
    this.#spares.push(...segmentNames(disk).filter((name) => !names.has(name)))
    const newest = placed.at(-1)
    const [any] = segmentNames(disk)
    this.#created = newestNumber(disk)
    this.#firstEpoch = any === undefined ? randomInt(2 ** 39) : partsOf(any).firstEpoch
    const end = newest && readToEnd(disk, newest.name)
    const own = known.log === undefined || known.log === this.#firstEpoch
    const position = own ? known.position : 0
    const ended = end?.place ?? { position: 0, id: 0 }
    const cut = own ? ended.position < position || end?.cut || hasEmptied(disk) : known.log !== 0
    const last = Math.max(known.id, ended.id)
    const floor = { position, id: cut || !end ? Math.max(last, promised) : known.id }
    if (cut && floor.id > last) this.cut = { from: last + 1, to: floor.id }
    this.#epoch = (end?.epoch ?? this.#firstEpoch) + 1
    this.#place = end?.place ?? floor
    // Records up to the floor are elsewhere.
    this.tornBytes = floor.position > ended.position ? 0 : (end?.tornBytes ?? 0) + tornStarts(disk, end)
    for (const [index, { name }] of placed.slice(0, -1).entries())
      this.#seal(name, (placed[index + 1]?.first ?? 1) - 1)
    if (!newest || !end) return
    if (floor.position > end.place.position || floor.id > end.place.id) {
      // The last records are lost; continue after them, because ids and positions must never repeat.
      this.#place = {
        position: Math.max(floor.position, end.place.position),
        id: Math.max(floor.id, end.place.id),
      }
      this.#seal(newest.name, end.place.position)
      return
    }
    const file = disk.open(newest.name)
    const { at } = end
    this.#current = { name: newest.name, file, first: newest.first, at, allocated: file.size() }
  }

  /** Position and id up to which the log is on the disk. */
  get place(): LogPlace {
    return this.#place
  }

  /** Distinguishes this log from former ones in the folder. */
  get identity(): number {
    return this.#firstEpoch
  }

  /** @returns the ids of the numbered records, in order @throws RangeError for a record beyond 16 MiB; like `commit` */
  append(records: readonly LogRecord[]): number[] {
    const frames = Buffer.allocUnsafe(framedSize(records))
    frame(records, frames)
    const before = this.#place.id
    this.commit(frames)
    return Array.from({ length: this.#place.id - before }, (_, index) => before + 1 + index)
  }

  /**
   * Returns when all frames are on the disk. On failure none of them counts, and the segment is not written again.
   * @param frames from `frame`, which it completes @throws the system's error
   */
  commit(frames: Buffer): void {
    const current = this.#room(frames.byteLength)
    const place = complete(frames, this.#firstEpoch, this.#epoch, this.#place)
    current.at = this.#write(current, frames)
    this.#appended += frames.byteLength
    this.#place = place
  }

  /** Returns when zeros are on the disk where the next records go, which overwrite them. @throws the system's error */
  prove(): void {
    this.#write(this.#room(ZEROS.byteLength), ZEROS)
  }

  /**
   * Allocates some space ahead, in a future segment: in the current file, appends would wait for the syncs.
   * @returns whether there is more to do @throws the system's error
   */
  async prepare(): Promise<boolean> {
    if (this.#preparing) return false
    const { at, allocated } = this.#current ?? { at: 0, allocated: 0 }
    const ahead = Math.min(AHEAD + 2 * this.#appended, this.#disk.free() * OF_FREE) - (allocated - at)
    const wanted = Math.min(this.#segmentBytes, ahead)
    if (wanted <= 0) return false
    const { name, file } = this.#opened(this.#spares[0]) ?? this.#create()
    if (!this.#spares.includes(name)) this.#spares.push(name)
    this.#preparing = name
    try {
      const size = file.size() > 1 ? file.size() : 0
      if (size >= wanted) return false
      const length = Math.min(ZEROS.byteLength, this.#segmentBytes - size)
      await file.zero(size, length)
      return size + length < wanted
    } finally {
      file.close()
      this.#preparing = undefined
    }
  }

  /** Frees segments whose records all have positions up to `upTo`, which must be on the disk elsewhere. @throws the system's error */
  trim(upTo: number): void {
    for (const segment of this.#sealed.filter(({ last }) => last <= upTo)) {
      this.#sealed = this.#sealed.filter((one) => one !== segment)
      segment.file.close()
      if (!segment.bad) this.#spares.push(segment.name)
      // Remove the oldest first: a reader reports records that are missing between others as lost.
      const over = this.#spares.splice(0, segment.bad ? SPARES : this.#spares.length - SPARES)
      for (const name of segment.bad ? [...over, segment.name] : over) this.#disk.remove(name)
    }
  }

  /** Drops all records and restarts the current segment, so that the same few pages are overwritten again and again. @throws like `trim` */
  restart(): void {
    this.trim(this.#place.position)
    this.#epoch += 1
    if (this.#current) this.#current = { ...this.#current, first: this.#place.position + 1, at: 0 }
  }

  /** Call each second: copies segments that another program removed to new files. @throws the system's error, also while the folder is missing */
  check(): void {
    // The oldest first: filing waits for records that are missing at the end of the log.
    for (const [index, segment] of this.#sealed.entries())
      if (!segment.file.present()) this.#sealed[index] = { ...segment, ...this.#restored(segment) }
    if (this.#current?.file.present() === false)
      this.#current = { ...this.#current, ...this.#restored(this.#current), allocated: this.#current.at }
  }

  close(): void {
    for (const { file } of this.#sealed) file.close()
    this.#sealed = []
    this.#current?.file.close()
    this.#current = undefined
  }

  /** The segment for the next write. @param bytes its size */
  #room(bytes: number): Current {
    if (this.#current?.file.present() === false) this.check()
    const current = this.#current
    const end = (current?.at ?? 0) + bytes
    if (current && end <= current.allocated) return current
    const spare = this.#spares.find((name) => name !== this.#preparing)
    if (current && (current.at === 0 || end <= this.#segmentBytes)) {
      // Extending the file makes syncs slower, so leave it for a spare that has space allocated.
      const leave = spare !== undefined && current.at >= Math.min(AHEAD, this.#segmentBytes) / 2
      if (!leave || this.#sizeOf(spare) < Math.max(bytes, Math.min(AHEAD, this.#segmentBytes))) return current
    }
    if (current) {
      this.#sealed.push({ ...current, last: this.#place.position, bad: false })
      this.#current = undefined
    }
    const { name, file } = this.#opened(spare) ?? this.#create()
    this.#forget(name)
    this.#epoch += 1
    this.#current = { name, file, first: this.#place.position + 1, at: 0, allocated: file.size() }
    return this.#current
  }

  /** @returns where the bytes end, once they are on the disk @throws the system's error */
  #write(current: Current, bytes: Buffer): number {
    const end = current.at + bytes.byteLength
    try {
      // Behind its last record a file has one byte at least, also after a kill, so that a shorter one shows that it was cut.
      if (end >= current.allocated) current.file.extend(end + 1)
      current.file.write(bytes, current.at)
      current.file.sync()
    } catch (error) {
      // On a full disk, a smaller write may still fit into allocated space; a new epoch distinguishes it from the rest of this write.
      if (isFull(error)) this.#epoch += 1
      else this.#give(current)
      throw error
    }
    current.allocated = Math.max(current.allocated, end)
    return end
  }

  /** Copies an open segment to a new file, and closes the old one. @throws the system's error */
  #restored(lost: Pick<Sealed, 'file' | 'at'>): { readonly name: string; readonly file: LogFile } {
    const { name, file } = this.#create()
    try {
      const content = Buffer.alloc(lost.at)
      file.extend(lost.at + 1)
      file.write(content.subarray(0, lost.file.read(content, 0)), 0)
      file.sync()
    } catch (error) {
      file.close()
      this.#disk.remove(name)
      throw error
    }
    lost.file.close()
    return { name, file }
  }

  /** Adds a segment of an earlier process. @param last position of its last record */
  #seal(name: string, last: number): void {
    const file = openSegment(this.#disk, name)
    if (file) this.#sealed.push({ name, file, at: file.size(), last, bad: false })
  }

  /** Abandons a segment after a failed write. Its earlier records stay readable. */
  #give(current: Current): void {
    this.#current = undefined
    const { position } = this.#place
    if (position >= current.first) this.#sealed.push({ ...current, last: position, bad: true })
    else {
      current.file.close()
      this.#disk.remove(current.name)
    }
  }

  #create(): { name: string; file: LogFile } {
    this.#disk.make()
    // Never the name of a segment that another program removed: this log may still count that one among its spares.
    this.#created = Math.max(this.#created, newestNumber(this.#disk)) + 1
    const name = nameOf(this.#created, this.#firstEpoch)
    return { name, file: this.#disk.create(name) }
  }

  /** Opens a spare; undefined when there is none, or another program has removed it. */
  #opened(name: string | undefined): { name: string; file: LogFile } | undefined {
    if (name === undefined) return undefined
    const file = openSegment(this.#disk, name)
    if (!file) this.#forget(name)
    return file && { name, file }
  }

  #forget(spare: string): void {
    this.#spares = this.#spares.filter((name) => name !== spare)
  }

  #sizeOf(name: string): number {
    const file = this.#opened(name)?.file
    try {
      return file?.size() ?? 0
    } finally {
      file?.close()
    }
  }
}

function newestNumber(disk: Disk): number {
  const newest = segmentNames(disk).at(-1)
  return newest === undefined ? 0 : partsOf(newest).number
}

const isFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes(systemCode(error))

interface End {
  readonly place: LogPlace
  readonly epoch: number
  readonly at: number
  /** Whether the file ends with a record or in the middle of one: another program may have cut off answered deliveries. */
  readonly cut?: boolean
}

/** Where the newest segment ends. */
function readToEnd(disk: Disk, name: string): (End & { readonly tornBytes: number }) | undefined {
  return withReader(disk, name, (reader) => {
    let end: End | undefined
    for (;;) {
      const found = reader.next()
      if (found?.type === 'frame') {
        const { position, id, epoch } = found.frame
        end = { place: { position, id }, epoch, at: found.end }
      } else {
        const tornBytes = found?.type === 'torn' ? found.bytes : 0
        const cut = end !== undefined && end.at + tornBytes === reader.size
        return end && { ...end, cut, tornBytes }
      }
    }
  })
}

/** Whether another program has emptied a segment: the log creates none without content. */
const hasEmptied = (disk: Disk): boolean =>
  segmentNames(disk).some((name) => withReader(disk, name, ({ size }) => size) === 0)

/** Bytes of unreadable records behind the end of the log that begin a segment. */
function tornStarts(disk: Disk, end: End | undefined): number {
  return segmentNames(disk).reduce((sum, name) => {
    const start = withReader(disk, name, (reader) => reader.unreadableStart())
    // Either may be the damaged field.
    const later = start && (start.position > (end?.place.position ?? 0) || start.epoch > (end?.epoch ?? 0))
    return later ? sum + start.bytes : sum
  }, 0)
}

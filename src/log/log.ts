import { randomInt } from 'node:crypto'
import { systemCode } from '#core/file-trouble.ts'
import type { LogPlace, LogRecord } from '#core/ports.ts'
import type { Disk, LogFile } from './disk.ts'
import { HEAD, LONGEST, writeHead } from './frame.ts'
import { placeSegments } from './reader.ts'
import { nameOf, partsOf, SegmentReader, segmentNames } from './segment.ts'

export interface NewRecord extends Pick<LogRecord, 'kind' | 'numbered'> {
  readonly bytes: Uint8Array
}

/** What is known to have been given out. The position counts in the log of that identity only; in any where it is absent. */
export interface Floor extends LogPlace {
  readonly log?: number
}

export interface LogOptions {
  /** Counts whatever the segments say. */
  readonly floor: Floor
  /** Ids up to this one may have been given out; counts where no segment says more. */
  readonly promised?: number
  readonly segmentBytes?: number
}

interface Current {
  readonly name: string
  readonly file: LogFile
  /** Position of its first record. */
  readonly first: number
  at: number
  /** Zeroed up to here. A write beyond it makes the file longer, which costs a sync more than overwriting does. */
  allocated: number
}

interface Sealed {
  readonly name: string
  readonly last: number
  /** The disk refused it once; it is never written to again. */
  readonly bad: boolean
}

const SEGMENT_BYTES = 64 * 1024 * 1024
/** Segments kept for reuse. */
const SPARES = 1
/** Room allocated ahead: what appends can still take on a full disk. It grows with what is appended, up to the rest of two segments. */
const AHEAD = 8 * 1024 * 1024
/** On a small disk no more than this part of what is free. */
const OF_FREE = 1 / 8
const ZEROS = Buffer.alloc(1024 * 1024)

/**
 * The way in: records are appended to segments of a fixed size, and each append returns when the disk has them. Segments are allocated
 * ahead and used again. Free of threads: a worker feeds it, tests call it.
 */
export class SegmentLog {
  /** Of a write that had not ended when it was opened; no sender was answered for it. */
  readonly tornBytes: number
  readonly #disk: Disk
  readonly #firstEpoch: number
  readonly #segmentBytes: number
  #appended = 0
  #epoch: number
  #place: LogPlace
  #current: Current | undefined
  #sealed: Sealed[] = []
  readonly #spares: string[] = []

  /** @throws the system's error */
  constructor(disk: Disk, { floor: known, promised = 0, segmentBytes = SEGMENT_BYTES }: LogOptions) {
    this.#disk = disk
    this.#segmentBytes = segmentBytes
    const placed = placeSegments(disk)
    const names = new Set(placed.map(({ name }) => name))
    this.#spares.push(...segmentNames(disk).filter((name) => !names.has(name)))
    const newest = placed.at(-1)
    const [any] = segmentNames(disk)
    this.#firstEpoch = any === undefined ? randomInt(2 ** 39) : partsOf(any).firstEpoch
    const end = newest && readToEnd(disk, newest.name)
    const own = known.log === undefined || known.log === this.#firstEpoch
    const floor = { position: own ? known.position : 0, id: known.id }
    this.tornBytes = end?.tornBytes ?? 0
    this.#epoch = (end?.epoch ?? this.#firstEpoch) + 1
    this.#place = end?.place ?? { ...floor, id: Math.max(floor.id, promised) }
    for (const [index, { name }] of placed.slice(0, -1).entries())
      this.#sealed.push({ name, last: (placed[index + 1]?.first ?? 1) - 1, bad: false })
    if (!newest || !end) return
    if (floor.position > end.place.position || floor.id > end.place.id) {
      // What was written last is gone: ids and positions never come twice.
      this.#place = {
        position: Math.max(floor.position, end.place.position),
        id: Math.max(floor.id, end.place.id),
      }
      this.#sealed.push({ name: newest.name, last: end.place.position, bad: false })
      return
    }
    const file = disk.open(newest.name)
    const { at } = end
    this.#current = { name: newest.name, file, first: newest.first, at, allocated: file.size() }
  }

  /** All up to here is on the disk. */
  get place(): LogPlace {
    return this.#place
  }

  /** Tells this log from one that was in the folder before. */
  get identity(): number {
    return this.#firstEpoch
  }

  /**
   * Returns once all records are on the disk. Fails as a whole: none of them counts then, and the segment is not written to again.
   * @returns the ids of the numbered ones, in order
   * @throws RangeError for a record beyond 16 MiB; the system's error
   */
  append(records: readonly NewRecord[]): number[] {
    const lengths = records.map(({ bytes }) => bytes.byteLength)
    if (lengths.some((length) => length > LONGEST))
      throw new RangeError(`A record has at most ${LONGEST} bytes.`)
    const total = lengths.reduce((sum, length) => sum + HEAD + length, 0)
    const current = this.#room(total)
    const heads = Buffer.allocUnsafe(records.length * HEAD)
    const buffers: Uint8Array[] = []
    const ids: number[] = []
    let { position, id } = this.#place
    for (const [index, { kind, numbered, bytes }] of records.entries()) {
      position += 1
      if (numbered) ids.push(++id)
      const payload = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      const synced = this.#place.position
      writeHead(heads, index * HEAD, { kind, epoch: this.#epoch, position, id, synced, payload })
      buffers.push(heads.subarray(index * HEAD, (index + 1) * HEAD), payload)
    }
    try {
      current.file.write(buffers, current.at)
      current.file.sync()
    } catch (error) {
      // On a full disk a smaller write may still fit into what is allocated; the new epoch tells it from what is left of this one.
      if (isFull(error)) this.#epoch += 1
      else this.#give(current)
      throw error
    }
    current.at += total
    this.#appended += total
    current.allocated = Math.max(current.allocated, current.at)
    this.#place = { position, id }
    return ids
  }

  /** Allocates some room ahead: for moments without appends. @returns whether there is more to do @throws the system's error */
  prepare(): boolean {
    const wanted = Math.min(AHEAD + 2 * this.#appended, this.#disk.free() * OF_FREE)
    const current = this.#current ?? this.#room(0)
    const { at, allocated } = current
    if (allocated < Math.min(this.#segmentBytes, at + wanted)) {
      try {
        current.allocated = this.#zero(current.file, allocated)
      } catch (error) {
        // A sync that failed is not tried again on this file: the next one may not say what was lost.
        if (!isFull(error)) this.#give(current)
        throw error
      }
      return true
    }
    const beyond = Math.min(this.#segmentBytes, at + wanted - this.#segmentBytes)
    if (beyond <= 0) return false
    const [known] = this.#spares
    const spare = known === undefined ? this.#create() : { name: known, file: this.#disk.open(known) }
    try {
      if (known === undefined) this.#spares.push(spare.name)
      const size = spare.file.size()
      return size < beyond && this.#zero(spare.file, size) < beyond
    } finally {
      spare.file.close()
    }
  }

  /** Frees segments whose records are all at or before a position. Call it when the disk has them elsewhere. @throws the system's error */
  trim(upTo: number): void {
    for (const segment of this.#sealed.filter(({ last }) => last <= upTo)) {
      this.#sealed = this.#sealed.filter((one) => one !== segment)
      if (!segment.bad && this.#spares.length < SPARES) this.#spares.push(segment.name)
      else this.#disk.remove(segment.name)
    }
  }

  close(): void {
    this.#current?.file.close()
    this.#current = undefined
  }

  /** The segment that takes so many bytes more. */
  #room(bytes: number): Current {
    const current = this.#current?.file.present() === false ? this.#rescue(this.#current) : this.#current
    if (current && (current.at === 0 || current.at + bytes <= this.#segmentBytes)) return current
    if (current) {
      current.file.close()
      this.#sealed.push({ name: current.name, last: this.#place.position, bad: false })
      this.#current = undefined
    }
    const spare = this.#spares.shift()
    const { name, file } =
      spare === undefined ? this.#create() : { name: spare, file: this.#disk.open(spare) }
    this.#epoch += 1
    this.#current = { name, file, first: this.#place.position + 1, at: 0, allocated: file.size() }
    return this.#current
  }

  /** Another program removed the segment: what is still open of it gets a name again. @throws the system's error, also while the folder is gone */
  #rescue(lost: Current): Current {
    const { name, file } = this.#create()
    try {
      const content = Buffer.alloc(lost.at)
      file.write([content.subarray(0, lost.file.read(content, 0))], 0)
      file.sync()
    } catch (error) {
      this.#disk.remove(name)
      throw error
    }
    lost.file.close()
    this.#current = { ...lost, name, file, allocated: lost.at }
    return this.#current
  }

  /** Gives up a segment that the disk refused. What it has stays readable. */
  #give(current: Current): void {
    this.#current = undefined
    current.file.close()
    const { position } = this.#place
    if (position >= current.first) this.#sealed.push({ name: current.name, last: position, bad: true })
    else this.#disk.remove(current.name)
  }

  #create(): { name: string; file: LogFile } {
    const last = segmentNames(this.#disk).at(-1)
    const name = nameOf((last ? partsOf(last).number : 0) + 1, this.#firstEpoch)
    return { name, file: this.#disk.create(name) }
  }

  /** @returns up to where it has been zeroed */
  #zero(file: LogFile, at: number): number {
    const zeros = ZEROS.subarray(0, Math.min(ZEROS.byteLength, this.#segmentBytes - at))
    file.write([zeros], at)
    file.sync()
    return at + zeros.byteLength
  }
}

const isFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes(systemCode(error))

/** Where the newest segment ends. */
function readToEnd(disk: Disk, name: string) {
  const file = disk.open(name)
  try {
    const reader = new SegmentReader(file, name)
    let end: { place: LogPlace; epoch: number; at: number } | undefined
    for (;;) {
      const found = reader.next()
      if (found?.type === 'frame') {
        const { position, id, epoch } = found.frame
        end = { place: { position, id }, epoch, at: found.end }
      } else if (found?.type !== 'damage')
        return end && { ...end, tornBytes: found?.type === 'torn' ? found.bytes : 0 }
    }
  } finally {
    file.close()
  }
}

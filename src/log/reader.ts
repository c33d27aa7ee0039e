import type { LogGap, LogReading, ReadableLog } from '#core/ports.ts'
import { type Disk, folderOf, type LogFile } from './disk.ts'
import { type Frame, HEAD } from './frame.ts'
import { Copies, openSegment, SegmentReader, segmentNames, withReader } from './segment.ts'

/** Least cost of a record in a read, in bytes: handling a small one takes as long as these bytes of a large one. */
const RECORD_COST = 1024

/** A segment and the position of its first record; it is valid up to the first record of the next segment. */
export interface Placed {
  readonly name: string
  readonly first: number
  readonly epoch: number
}

/**
 * Segments with records, in the order of the log. After a failed sync, a segment is valid only up to the first record of the next
 * segment.
 */
export function placeSegments(disk: Disk): Placed[] {
  return segmentNames(disk)
    .flatMap((name) => {
      const first = withReader(disk, name, (reader) => reader.first())
      return first ? [{ name, first: first.position, epoch: first.epoch }] : []
    })
    .sort((a, b) => a.epoch - b.epoch || a.first - b.first)
}

/** @returns a text that changes when a segment is begun, removed or reused */
function headsOf(disk: Disk): string {
  const heads = segmentNames(disk).map((name) => {
    const file = openSegment(disk, name)
    try {
      const head = Buffer.alloc(HEAD)
      return head.toString('latin1', 0, file?.read(head, 0))
    } finally {
      file?.close()
    }
  })
  return heads.join()
}

/** The position of the oldest record; undefined when there is none. */
export function oldestIn(disk: Disk): number | undefined {
  return placeSegments(disk)[0]?.first
}

export function logIn(folder: string): ReadableLog {
  const disk = folderOf(folder, 'read')
  return { oldest: () => oldestIn(disk), read: (after) => new LogReader(disk, after) }
}

/** Reads the segments of a log. A record counts as at least RECORD_COST bytes. */
export class LogReader implements LogReading {
  readonly #disk: Disk
  readonly #copies = new Copies()
  #position: number
  #segment:
    | { readonly placed: Placed; readonly until: number; readonly file: LogFile; reader: SegmentReader }
    | undefined
  /** `headsOf` when the current segment was entered, to detect that another segment has begun. */
  #heads = ''

  /** @param after position of the last record to skip */
  constructor(disk: Disk, after: number) {
    this.#disk = disk
    this.#position = after
  }

  next(upTo: number, limit: number) {
    const frames: Frame[] = []
    const damaged: [number, number][] = []
    let bytes = 0
    let doubted: number | undefined
    this.#copies.drop()
    if (this.#heads === headsOf(this.#disk)) this.#segment?.reader.refresh()
    else this.close()
    while (this.#position < upTo && bytes < limit) {
      const segment = this.#segment ?? this.#enter()
      const found = segment?.reader.next()
      const until = segment?.until ?? Number.POSITIVE_INFINITY
      const frame = found?.type === 'frame' && found.frame.position < until ? found.frame : undefined
      const missing = frame ? frame.position - 1 : Math.min(until - 1, upTo)
      if (missing > this.#position && doubted !== this.#position) {
        // The log may have reused or removed the segment meanwhile, so look again before reporting a record as missing.
        doubted = this.#position
        this.close()
        continue
      }
      if (missing > this.#position) damaged.push([this.#position + 1, missing])
      this.#position = Math.max(this.#position, missing)
      if (!frame) this.close()
      else if (frame.position > this.#position) {
        frames.push(frame)
        bytes += Math.max(RECORD_COST, frame.payload.byteLength)
        this.#position = frame.position
      }
    }
    const gaps = damaged.map(([from, to]): LogGap => {
      const next = frames.find(({ position }) => position > to)
      // A new open of the log continues after any gap, so only a frame of the same epoch proves that the gap was synced.
      const proved = frames.some(({ epoch, synced }) => epoch === next?.epoch && synced >= from)
      return { from, to, answered: !next || proved }
    })
    return { entries: frames, gaps, position: this.#position }
  }

  close(): void {
    this.#segment?.file.close()
    this.#segment = undefined
  }

  /** Opens the segment with the next record, or the first one after it. */
  #enter() {
    this.#heads = headsOf(this.#disk)
    const all = placeSegments(this.#disk)
    const wanted = this.#position + 1
    const at = Math.max(
      0,
      all.findLastIndex(({ first }) => first <= wanted),
    )
    const placed = all[at]
    if (!placed) return undefined
    const file = openSegment(this.#disk, placed.name)
    if (!file) return undefined
    this.#segment = {
      placed,
      file,
      reader: new SegmentReader(file, placed.name, this.#copies),
      until: all[at + 1]?.first ?? Number.POSITIVE_INFINITY,
    }
    return this.#segment
  }
}

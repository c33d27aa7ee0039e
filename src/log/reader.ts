import type { LogGap, LogReading, ReadableLog } from '#core/ports.ts'
import { type Disk, folderOf, type LogFile } from './disk.ts'
import { type Frame, HEAD } from './frame.ts'
import { firstFrame, openSegment, SegmentReader, segmentNames } from './segment.ts'

/** Handling a small record takes as long as so many bytes of a large one. */
const RECORD_COST = 1024

/** One segment in its place: it counts from `first` up to the next one's `first`. */
export interface Placed {
  readonly name: string
  readonly first: number
  readonly epoch: number
}

/**
 * Segments that hold records, in the order of the log. Of a segment that could not be synced only what stands before the next one's
 * first record counts.
 */
export function placeSegments(disk: Disk): Placed[] {
  return segmentNames(disk)
    .flatMap((name) => {
      const frame = firstFrame(disk, name)
      return frame ? [{ name, first: frame.position, epoch: frame.epoch }] : []
    })
    .sort((a, b) => a.epoch - b.epoch || a.first - b.first)
}

/** Changes whenever a segment is begun, removed or used again. */
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

/** The position of the oldest record that is left; undefined where there is none. */
export function oldestIn(disk: Disk): number | undefined {
  return placeSegments(disk)[0]?.first
}

export function logIn(folder: string): ReadableLog {
  const disk = folderOf(folder)
  return { oldest: () => oldestIn(disk), read: (after) => new LogReader(disk, after) }
}

/** Reads the segments of a log. A record counts as at least RECORD_COST bytes. */
export class LogReader implements LogReading {
  readonly #disk: Disk
  #position: number
  #segment:
    | { readonly placed: Placed; readonly until: number; readonly file: LogFile; reader: SegmentReader }
    | undefined
  /** The beginnings of all segments when the present one was entered: another one of them may have been begun since. */
  #heads = ''

  /** @param after records up to this position are not wanted */
  constructor(disk: Disk, after: number) {
    this.#disk = disk
    this.#position = after
  }

  next(upTo: number, limit: number) {
    const frames: Frame[] = []
    const damaged: [number, number][] = []
    let bytes = 0
    let doubted: number | undefined
    if (this.#heads === headsOf(this.#disk)) this.#segment?.reader.refresh()
    else this.close()
    while (this.#position < upTo && bytes < limit) {
      const segment = this.#segment ?? this.#enter()
      const found = segment?.reader.next()
      const until = segment?.until ?? Number.POSITIVE_INFINITY
      const frame = found?.type === 'frame' && found.frame.position < until ? found.frame : undefined
      const missing = frame ? frame.position - 1 : Math.min(until - 1, upTo)
      if (missing > this.#position && doubted !== this.#position) {
        // Its segment may have been used again or removed meanwhile: no record is called missing after one look.
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
      // An opening of the log counts on from a gap that it found: only a frame of the same epoch proves anything.
      const proved = frames.some(({ epoch, synced }) => epoch === next?.epoch && synced >= from)
      return { from, to, answered: !next || proved }
    })
    return { entries: frames, gaps, position: this.#position }
  }

  close(): void {
    this.#segment?.file.close()
    this.#segment = undefined
  }

  /** The segment in which the next record stands, or the first one behind it. */
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
      ...{ placed, file, reader: new SegmentReader(file, placed.name) },
      until: all[at + 1]?.first ?? Number.POSITIVE_INFINITY,
    }
    return this.#segment
  }
}

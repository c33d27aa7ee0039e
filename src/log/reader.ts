import type { Disk, LogFile } from './disk.ts'
import { type Frame, HEAD } from './frame.ts'
import { firstFrame, SegmentReader, segmentNames } from './segment.ts'

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
    const file = disk.open(name)
    try {
      const head = Buffer.alloc(HEAD)
      return head.toString('latin1', 0, file.read(head, 0))
    } finally {
      file.close()
    }
  })
  return heads.join()
}

/** The position of the oldest record that is left; undefined where there is none. */
export function oldestIn(disk: Disk): number | undefined {
  return placeSegments(disk)[0]?.first
}

/** Reads a log in order while another thread writes to it. Reads only what it is told to be on the disk. */
export class LogReader {
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

  /**
   * @param upTo the last position that is on the disk
   * @param limit stops at about so many bytes; a record counts as at least RECORD_COST
   * @returns up to which position all has been read or is damaged @throws the system's error
   */
  next(upTo: number, limit: number) {
    const frames: Frame[] = []
    // Positions that were on the disk and cannot be read, from and to.
    const damaged: [number, number][] = []
    let bytes = 0
    if (this.#segment && this.#heads !== headsOf(this.#disk)) this.close()
    while (this.#position < upTo && bytes < limit) {
      const segment = this.#segment ?? this.#enter()
      const found = segment?.reader.next()
      if (segment && found?.type === 'frame' && found.frame.position < segment.until) {
        const { frame } = found
        if (frame.position <= this.#position) continue
        if (frame.position > this.#position + 1) damaged.push([this.#position + 1, frame.position - 1])
        frames.push(frame)
        bytes += Math.max(RECORD_COST, frame.payload.byteLength)
        this.#position = frame.position
      } else if (found?.type !== 'damage') this.#leave(damaged, upTo)
    }
    return { frames, damaged, position: this.#position }
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
    const file = this.#disk.open(placed.name)
    this.#segment = {
      ...{ placed, file, reader: new SegmentReader(file, placed.name) },
      until: all[at + 1]?.first ?? Number.POSITIVE_INFINITY,
    }
    return this.#segment
  }

  /** A segment has ended. What is missing up to the next one is damage; so is all of it where there is none. */
  #leave(damaged: [number, number][], upTo: number): void {
    const until = this.#segment ? this.#segment.until - 1 : Number.POSITIVE_INFINITY
    this.close()
    const to = Math.min(until, upTo)
    if (this.#position >= to) return
    damaged.push([this.#position + 1, to])
    this.#position = to
  }
}

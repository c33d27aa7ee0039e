import { HEADS } from './limits.ts'

/** A memory budget that senders share. */
export class Room {
  readonly #bytes: number
  #taken = 0

  constructor(bytes: number) {
    this.#bytes = bytes
  }

  /** @returns false when the memory does not suffice; then nothing is taken */
  take(bytes: number): boolean {
    if (this.#taken + bytes > this.#bytes) return false
    this.#taken += bytes
    return true
  }

  give(bytes: number): void {
    this.#taken -= bytes
  }
}

const LINE_FEED = 0x0a

/** The connection whose heads use memory. */
export interface HeadHolder {
  /** Since when an unfinished head waits for its sender (`performance.now()`); undefined without one. */
  since(state: 'head'): number | undefined
  /** Ends the unfinished head. */
  giveWay(): void
}

/** Memory of heads beyond the free share of each. When it runs out, the largest unfinished head is ended. */
export class Heads {
  readonly #room = new Room(HEADS.room)
  readonly #unfinished = new Set<HeadMeter>()

  /** @returns false when the memory does not suffice; then nothing is taken */
  take(bytes: number, wanting: HeadMeter): boolean {
    while (!this.#room.take(bytes)) {
      const latest = performance.now() - HEADS.ownMs
      let largest: HeadMeter | undefined
      for (const meter of this.#unfinished)
        if (meter.taken > (largest?.taken ?? 0) && (meter.holder.since('head') ?? latest + 1) <= latest)
          largest = meter
      if (!largest) return false
      largest.closed()
      largest.holder.giveWay()
    }
    this.#unfinished.add(wanting)
    return true
  }

  give(bytes: number): void {
    this.#room.give(bytes)
  }

  finished(meter: HeadMeter): void {
    this.#unfinished.delete(meter)
  }
}

/** Measures the heads of one connection before the parser sees them, and holds their memory until their answers are sent. */
export class HeadMeter {
  readonly holder: HeadHolder
  readonly #heads: Heads
  #lines = 0
  #cost = 0
  /** Bytes taken for the arriving head. */
  taken = 0
  /** Whether the last chunk ended within a line. */
  #within = false
  /** Bytes taken for requests with pending answers, in order. */
  readonly #held: number[] = []

  constructor(heads: Heads, holder: HeadHolder) {
    this.#heads = heads
    this.holder = holder
  }

  /** @returns whether the head may continue; `no-room`: other heads have used up the memory */
  takes(chunk: Buffer): 'yes' | 'too-long' | 'no-room' {
    const { bytes, lines } = this.#measure(chunk)
    this.#lines += lines
    this.#cost += bytes + lines * HEADS.lineCost
    const wanted = Math.max(0, this.#cost - HEADS.free) - this.taken
    if (this.#lines > HEADS.lines) return 'too-long'
    if (wanted <= 0) return 'yes'
    if (!this.#heads.take(wanted, this)) return 'no-room'
    this.taken += wanted
    return 'yes'
  }

  /** Call when a head is complete; the next bytes are its body, or the next head. */
  complete(): void {
    this.#held.push(this.taken)
    if (this.taken > 0) this.#heads.finished(this)
    this.taken = 0
    this.#cost = 0
    this.#lines = 0
    this.#within = false
  }

  /** Call when the first pending answer has been sent. */
  answered(): void {
    this.#heads.give(this.#held.shift() ?? 0)
  }

  closed(): void {
    this.#heads.give(this.#held.splice(0).reduce((sum, bytes) => sum + bytes, this.taken))
    this.#heads.finished(this)
    this.taken = 0
  }

  /** Bytes and lines of the head in this chunk, which a body or another request may follow. */
  #measure(chunk: Buffer): { bytes: number; lines: number } {
    let lines = 0
    let at = 0
    for (;;) {
      const end = chunk.indexOf(LINE_FEED, at)
      if (end === -1) {
        this.#within = at < chunk.length || (at === 0 && this.#within)
        return { bytes: chunk.length, lines }
      }
      const blank = !(at === 0 && this.#within) && end - at <= 1
      lines++
      at = end + 1
      // Some senders send an empty line before a request.
      if (blank && this.#lines + lines > 1) return { bytes: at, lines }
    }
  }
}

/** Reads per turn of the event loop. */
const EACH_TURN = 2
/** Consecutive turns in which accepting connections may take precedence over reads. */
const MOST_SKIPPED = 20
/** Bytes in flight to the store, beyond which further reads wait: more than the requests of all connections, one each. */
const MOST_UNSTORED = 4_194_304

/**
 * Orders the reads of connections with much data, a few per turn of the event loop. Otherwise Node would read megabytes from each of them
 * before accepting the next connection.
 */
export class Turns {
  readonly #waiting: (() => void)[] = []
  #scheduled = false
  #unstored = 0
  #accepted = false
  #skipped = 0

  /** @param go called, never synchronously, at the connection's turn @param next true: before all others, for heads that use memory */
  wait(go: () => void, next = false): void {
    if (next) this.#waiting.unshift(go)
    else this.#waiting.push(go)
    this.#schedule()
  }

  /** Call at a new connection: others may be waiting, and accepting them goes first. */
  accepted(): void {
    this.#accepted = true
  }

  /** Adds bytes in flight to the store. */
  storing(bytes: number): void {
    this.#unstored += bytes
  }

  stored(bytes: number): void {
    this.#unstored -= bytes
    this.#schedule()
  }

  #schedule(): void {
    if (this.#scheduled || this.#waiting.length === 0 || this.#unstored >= MOST_UNSTORED) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      const skip = this.#accepted && this.#skipped < MOST_SKIPPED
      this.#accepted = false
      this.#skipped = skip ? this.#skipped + 1 : 0
      if (!skip) for (const go of this.#waiting.splice(0, EACH_TURN)) go()
      this.#schedule()
    })
  }
}

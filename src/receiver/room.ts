import { HEADS } from './limits.ts'

/** Memory that senders share. What one takes beyond it, it does not get. */
export class Room {
  readonly #bytes: number
  #taken = 0

  constructor(bytes: number) {
    this.#bytes = bytes
  }

  /** @returns whether it was there to take */
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

/** Takes memory for the heads of a connection. */
export interface HeadHolder {
  /** Since when its head is unfinished and waits for its sender (`performance.now()`); undefined where none does. */
  since(state: 'head'): number | undefined
  /** Ends the unfinished head. */
  giveWay(): void
}

/** Memory that heads take beyond the free share of each. Where it runs out, the unfinished head that holds most gives way. */
export class Heads {
  readonly #room = new Room(HEADS.room)
  readonly #unfinished = new Set<HeadMeter>()

  /** @returns whether it was there to take */
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

/** Measures the heads of one connection as they come, ahead of the parser, and holds their memory until their answers have gone. */
export class HeadMeter {
  readonly holder: HeadHolder
  readonly #heads: Heads
  #lines = 0
  #cost = 0
  /** Taken for the head that is coming. */
  taken = 0
  /** The last chunk ended within a line. */
  #within = false
  /** Taken for requests whose answers have not gone, in order. */
  readonly #held: number[] = []

  constructor(heads: Heads, holder: HeadHolder) {
    this.#heads = heads
    this.holder = holder
  }

  /** @returns whether the head may go on; `no-room`: others have taken what it needs */
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

  /** The head is complete: the bytes that follow are its body, or the next one. */
  complete(): void {
    this.#held.push(this.taken)
    if (this.taken > 0) this.#heads.finished(this)
    this.taken = 0
    this.#cost = 0
    this.#lines = 0
    this.#within = false
  }

  /** The first answer that was owed has gone. */
  answered(): void {
    this.#heads.give(this.#held.shift() ?? 0)
  }

  closed(): void {
    this.#heads.give(this.#held.splice(0).reduce((sum, bytes) => sum + bytes, this.taken))
    this.#heads.finished(this)
    this.taken = 0
  }

  /** Bytes and lines of the head in this chunk; a body, or another request, may follow them. */
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
      // Some senders send an empty line ahead of a request.
      if (blank && this.#lines + lines > 1) return { bytes: at, lines }
    }
  }
}

/** Reads that one turn of the event loop serves. */
const EACH_TURN = 2
/** Turns in a row that accepting may take from them. */
const MOST_SKIPPED = 20
/** Bytes on their way to the store; beyond it further reads wait. */
const MOST_UNSTORED = 4_194_304

/**
 * Lets the connections that send much go on in order, a few in each turn of the event loop: else it would read megabytes from each of them
 * before it accepts the next connection.
 */
export class Turns {
  readonly #waiting: (() => void)[] = []
  #scheduled = false
  #unstored = 0
  #accepted = false
  #skipped = 0

  /** @param go called when it is this connection's turn, never at once @param next before all that wait: for what is kept until whole */
  wait(go: () => void, next = false): void {
    if (next) this.#waiting.unshift(go)
    else this.#waiting.push(go)
    this.#schedule()
  }

  /** A connection came, so others may be waiting to be accepted: they go first. */
  accepted(): void {
    this.#accepted = true
  }

  /** So many bytes are on their way to the store. */
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

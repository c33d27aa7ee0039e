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

/** Measures the heads of one connection as they come, ahead of the parser, and holds their memory until their answers have gone. */
export class HeadMeter {
  readonly #room: Room
  #lines = 0
  #cost = 0
  /** Taken of the room for the head that is coming. */
  #taken = 0
  /** The last chunk ended within a line. */
  #within = false
  /** Taken of the room for requests whose answers have not gone, in order. */
  readonly #held: number[] = []

  constructor(room: Room) {
    this.#room = room
  }

  /** @returns whether the head may go on */
  takes(chunk: Buffer): boolean {
    const { bytes, lines } = this.#measure(chunk)
    this.#lines += lines
    this.#cost += bytes + lines * HEADS.lineCost
    const wanted = Math.max(0, this.#cost - HEADS.free) - this.#taken
    if (this.#lines > HEADS.lines) return false
    if (wanted <= 0) return true
    if (!this.#room.take(wanted)) return false
    this.#taken += wanted
    return true
  }

  /** The head is complete: the bytes that follow are its body, or the next one. */
  complete(): void {
    this.#held.push(this.#taken)
    this.#taken = 0
    this.#cost = 0
    this.#lines = 0
    this.#within = false
  }

  /** The first answer that was owed has gone. */
  answered(): void {
    this.#room.give(this.#held.shift() ?? 0)
  }

  closed(): void {
    this.#room.give(this.#held.splice(0).reduce((sum, bytes) => sum + bytes, this.#taken))
    this.#taken = 0
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
 * Lets the connections that send more than one read takes go on in order, a few in each turn of the event loop. Without this the event
 * loop would read megabytes from each of them before it accepts the next connection: it accepts one in each turn.
 */
export class Turns {
  readonly #waiting: (() => void)[] = []
  #scheduled = false
  #unstored = 0
  #accepted = false
  #skipped = 0

  /**
   * @param go called when it is this connection's turn, never at once
   * @param next before all that wait: for what takes memory until it is whole
   */
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

import { HEADS } from './limits.ts'
import type { Room } from './room.ts'

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

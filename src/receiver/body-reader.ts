import type { BodySink, Capture, StoredBody } from '#core/ports.ts'
import { BODIES, SIZES } from './limits.ts'
import type { Room } from './room.ts'

/** What the reader tells of; each at most once. */
export interface BodyEvents {
  /** The body has passed the limit: only its head is kept, nothing more is taken. */
  tooLarge(): void
  /** The store took neither the piece nor anything else. */
  storeFailed(error: unknown): void
  /** Stop and go on reading: so many bytes are on their way to the store. */
  hold(bytes: number): void
  release(bytes: number): void
}

/** Collects one body: in memory up to a piece, beyond that in pieces to the store, one at a time, so that memory stays small. */
export class BodyReader {
  readonly #capture: Capture
  readonly #limit: number
  readonly #kept: number
  readonly #events: BodyEvents
  readonly #room: Room
  /** Taken of the room. */
  #taken = 0
  #pieceSize: number = SIZES.piece
  #size = 0
  #parts: Buffer[] = []
  #head: Buffer | null = null
  #sink: BodySink | null = null
  #piece: Buffer | null = null
  /** A piece written, for use again: fresh ones would pile up faster than they are collected. */
  #spare: Buffer | null = null
  /** Of the read before, which nothing else holds. */
  #spent: ArrayBuffer | null = null
  #filled = 0
  #written: Promise<unknown> = Promise.resolve()
  #dropping = false

  /** @param kept so many bytes at most; what follows up to the limit is only counted @param room memory that all bodies share */
  constructor(capture: Capture, limit: number, kept: number, room: Room, events: BodyEvents) {
    this.#capture = capture
    this.#room = room
    this.#limit = limit
    this.#kept = kept
    this.#events = events
  }

  /** Bytes that came, the one that passed the limit included. */
  get size(): number {
    return this.#size
  }

  take(chunk: Buffer): void {
    this.#size += chunk.length
    if (this.#size > this.#limit) {
      this.#head ??= this.#firstBytes(chunk)
      this.drop()
      this.#events.tooLarge()
      return
    }
    const beyond = this.#size - this.#kept
    if (beyond > 0) {
      // A copy: a view would keep the whole chunk alive.
      const rest = Buffer.from(chunk.subarray(0, Math.max(0, chunk.length - beyond)))
      if (this.#sink) this.#fill(rest)
      else if (rest.length > 0) this.#parts.push(rest)
      return
    }
    if (this.#sink) {
      this.#fill(chunk)
      return
    }
    this.#parts.push(chunk)
    const most = this.#takes(chunk.length) ? SIZES.piece : BODIES.smallPiece
    if (this.#size > most) this.#toStore()
  }

  /** Gives its share of the memory back: call when what it gathered is stored. */
  release(): void {
    this.#room.give(this.#taken)
    this.#taken = 0
  }

  /** Forgets all but its head. */
  drop(): void {
    this.release()
    this.#dropping = true
    this.#parts = []
    this.#piece = null
    this.#spare = null
    const sink = this.#sink
    if (!sink) return
    this.#sink = null
    // The pieces that stay behind when this fails are orphans, which the store sweeps.
    this.#written.then(() => sink.abandon()).catch(() => {})
  }

  /** The first 64 KiB, of a body that was dropped. */
  head(): Buffer {
    return this.#head ?? Buffer.alloc(0)
  }

  /** The body, or what is kept of it, when that fits in memory, else undefined: then `finish` it is. */
  inMemory(): Buffer | undefined {
    if (this.#sink || this.#dropping) return undefined
    const [only] = this.#parts
    if (only === undefined) return Buffer.alloc(0)
    return this.#parts.length === 1 ? only : Buffer.concat(this.#parts)
  }

  /** Ends a body that went to the store. @throws what the store throws */
  async finish(): Promise<StoredBody> {
    const sink = this.#sink
    if (!sink) throw new Error('the body is in memory')
    await this.#written
    if (this.#piece && this.#filled > 0) await sink.write(this.#piece.subarray(0, this.#filled))
    return sink.finish()
  }

  #firstBytes(chunk: Buffer): Buffer {
    return Buffer.concat([...this.#parts, chunk], Math.min(this.#size, SIZES.keptHead))
  }

  #toStore(): void {
    const parts = this.#parts
    // A copy: a view would keep the whole first megabyte alive.
    this.#head = Buffer.concat(parts, SIZES.keptHead)
    this.#parts = []
    this.release()
    // One is filled while the other is written.
    this.#pieceSize = this.#takes(2 * SIZES.piece) ? SIZES.piece : BODIES.smallPiece
    this.#sink = this.#capture.openBody()
    for (const part of parts) this.#fill(part)
  }

  #fill(chunk: Buffer): void {
    let from = 0
    this.#free(chunk)
    while (from < chunk.length && this.#sink) {
      this.#piece ??= this.#emptyPiece()
      const copied = chunk.copy(this.#piece, this.#filled, from)
      from += copied
      this.#filled += copied
      if (this.#filled === this.#pieceSize) this.#flush(this.#piece, this.#sink)
    }
  }

  /** Gives the memory of the read before back at once. V8 would let some 64 MB of reads gather before it collects them. */
  #free(next: Buffer): void {
    // Not that of this read, in which the parser still stands.
    this.#spent?.transfer(0)
    const { buffer } = next
    this.#spent = next.length === buffer.byteLength && buffer instanceof ArrayBuffer ? buffer : null
  }

  #emptyPiece(): Buffer {
    const spare = this.#spare
    this.#spare = null
    // Memory of its own, since it goes to the store with the piece.
    return spare?.length === this.#pieceSize ? spare : Buffer.allocUnsafeSlow(this.#pieceSize)
  }

  #takes(bytes: number): boolean {
    const takes = this.#room.take(bytes)
    if (takes) this.#taken += bytes
    return takes
  }

  #flush(piece: Buffer, sink: BodySink): void {
    this.#piece = null
    this.#filled = 0
    const bytes = piece.length
    this.#events.hold(bytes)
    const written = this.#written.then(() => sink.write(piece))
    this.#written = written
    written.then(
      ({ buffer }) => {
        this.#spare = Buffer.from(buffer)
        this.#events.release(bytes)
      },
      (error: unknown) => {
        if (!this.#dropping) {
          this.drop()
          this.#events.storeFailed(error)
        }
        this.#events.release(bytes)
      },
    )
  }
}

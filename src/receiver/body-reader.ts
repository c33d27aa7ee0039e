import type { BodySink, Capture, StoredBody } from '#core/ports.ts'
import { BODIES, SIZES } from './limits.ts'
import type { Room } from './room.ts'

/** Events of the reader. `tooLarge` and `storeFailed` occur at most once. */
export interface BodyEvents {
  /** The body exceeds the limit: only its head is kept, and the reader takes nothing more. */
  tooLarge(): void
  /** The store refused a piece, and so the body. */
  storeFailed(error: unknown): void
  /** Pause and resume reading, while `bytes` are in flight to the store. */
  hold(bytes: number): void
  release(bytes: number): void
}

/** Collects one body: in memory up to a piece, and beyond that in pieces to the store, one at a time, so that memory stays small. */
export class BodyReader {
  readonly #capture: Capture
  readonly #limit: number
  readonly #kept: number
  readonly #events: BodyEvents
  readonly #room: Room
  /** Bytes taken from the room. */
  #taken = 0
  #pieceSize: number = SIZES.piece
  #size = 0
  #parts: Buffer[] = []
  #head: Buffer | null = null
  #sink: BodySink | null = null
  #piece: Buffer | null = null
  /** A written piece for reuse: new buffers would pile up faster than V8 collects them. */
  #spare: Buffer | null = null
  /** Memory of the previous read, which has no other user. */
  #spent: ArrayBuffer | null = null
  #filled = 0
  #written: Promise<unknown> = Promise.resolve()
  #dropping = false

  /** @param kept most bytes to keep; later ones up to the limit are only counted @param room memory that all bodies share */
  constructor(capture: Capture, limit: number, kept: number, room: Room, events: BodyEvents) {
    this.#capture = capture
    this.#room = room
    this.#limit = limit
    this.#kept = kept
    this.#events = events
  }

  /** Bytes received, with the chunk that exceeded the limit. */
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

  /** Returns the body's share of the memory. Call it when the body is stored. */
  release(): void {
    this.#room.give(this.#taken)
    this.#taken = 0
  }

  /** Discards the body, except its head. */
  drop(): void {
    this.release()
    this.#dropping = true
    this.#parts = []
    this.#piece = null
    this.#spare = null
    const sink = this.#sink
    if (!sink) return
    this.#sink = null
    // If this fails, the store removes the remaining chunks later, as they have no delivery.
    this.#written.then(() => sink.abandon()).catch(() => {})
  }

  /** The first 64 KiB of a dropped body. */
  head(): Buffer {
    return this.#head ?? Buffer.alloc(0)
  }

  /** The kept part of the body when it is in memory; undefined when it went to the store: then call `finish`. */
  inMemory(): Buffer | undefined {
    if (this.#sink || this.#dropping) return undefined
    const [only] = this.#parts
    if (only === undefined) return Buffer.alloc(0)
    return this.#parts.length === 1 ? only : Buffer.concat(this.#parts)
  }

  /** Ends a body that went to the store. @throws the store's error */
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
    // Two pieces: one is filled while the other is written.
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

  /** Frees the memory of the previous read at once: V8 would let some 64 MB of reads pile up before a collection. */
  #free(next: Buffer): void {
    // The parser still uses the memory of the current read.
    this.#spent?.transfer(0)
    const { buffer } = next
    this.#spent = next.length === buffer.byteLength && buffer instanceof ArrayBuffer ? buffer : null
  }

  #emptyPiece(): Buffer {
    const spare = this.#spare
    this.#spare = null
    // Not from Node's shared pool, since the memory is transferred to the store with the piece.
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

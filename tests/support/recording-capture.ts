import type { AnsweredInstead, Appended, BodySink, Capture, NewDelivery, StoredBody } from '#core/ports.ts'

/** A Capture that keeps everything in memory: the receiver's own tests need no store. */
export class RecordingCapture implements Capture {
  readonly deliveries: NewDelivery[] = []
  /** Durations of answers; `instead` unless the answer was the endpoint's own. */
  readonly took: { id: number; tookUs: number | null; instead?: AnsweredInstead }[] = []
  /** Pieces of every body from `openBody`, by upload. */
  readonly uploads = new Map<string, Buffer[]>()
  abandoned = 0
  /** When set, every append fails. */
  failure: Error | null = null
  /** When set, every piece fails. */
  pieceFailure: Error | null = null
  /** When set, appends wait for it. */
  gate: Promise<void> | null = null
  /** When set, pieces wait for it. */
  pieceGate: Promise<void> | null = null

  /** Delays appends. @returns a function that releases them */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.gate = promise
    return resolve
  }

  async append(delivery: NewDelivery): Promise<Appended> {
    if (this.gate) await this.gate
    if (this.failure) throw this.failure
    this.deliveries.push(delivery)
    return { id: this.deliveries.length }
  }

  openBody(): BodySink {
    const upload = `upload-${this.uploads.size + 1}`
    const pieces: Buffer[] = []
    this.uploads.set(upload, pieces)
    return {
      write: async (piece) => {
        // Asynchronous like a disk: the receiver must apply back-pressure meanwhile.
        await new Promise((resolve) => setImmediate(resolve))
        await this.pieceGate
        if (this.pieceFailure) throw this.pieceFailure
        pieces.push(Buffer.from(piece))
        return piece
      },
      finish: async () => ({ upload }),
      abandon: async () => {
        this.abandoned++
        this.uploads.delete(upload)
      },
    }
  }

  answered(id: number, tookUs: number | null, instead?: AnsweredInstead): void {
    this.took.push({ id, tookUs, ...(instead ? { instead } : {}) })
  }

  async kept(count: number): Promise<readonly NewDelivery[]> {
    while (this.deliveries.length < count) await new Promise((resolve) => setTimeout(resolve, 2))
    return this.deliveries
  }

  bytes(body: Uint8Array | StoredBody): Buffer {
    if (body instanceof Uint8Array) return Buffer.from(body)
    return Buffer.concat(this.uploads.get(body.upload) ?? [])
  }
}

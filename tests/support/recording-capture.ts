import type { AnsweredInstead, Appended, BodySink, Capture, NewDelivery, StoredBody } from '#core/ports.ts'

/** A Capture that keeps everything in memory: the receiver's own tests need no store. */
export class RecordingCapture implements Capture {
  readonly deliveries: NewDelivery[] = []
  /** `instead` where it was not the endpoint's own answer. */
  readonly took: { id: number; tookUs: number | null; instead?: AnsweredInstead }[] = []
  /** Pieces of every body that came through `openBody`, by upload. */
  readonly uploads = new Map<string, Buffer[]>()
  abandoned = 0
  /** Set to make every append fail. */
  failure: Error | null = null
  /** Set to make every piece fail. */
  pieceFailure: Error | null = null
  /** Set to hold appends until it resolves. */
  gate: Promise<void> | null = null
  /** Set to hold pieces until it resolves. */
  pieceGate: Promise<void> | null = null

  /** Holds appends until what it returns is called. */
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
        // Later, as a disk does: the receiver must hold the sender back meanwhile.
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

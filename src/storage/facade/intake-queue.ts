import { randomUUID } from 'node:crypto'
import { AcuseError } from '#contract/errors.ts'
import type { AnsweredInstead, Appended, BodySink, Capture, NewDelivery, StoredBody } from '#core/ports.ts'
import { packBatch } from '../wire/batch.ts'
import type { Correction } from '../writer/corrections.ts'
import type { BatchMessage, Outcome } from '../writer/protocol.ts'
import type { RecentAnswers } from './recent-answers.ts'
import type { RecentDurations } from './recent-durations.ts'

/** Pieces of a large body are stored in transactions of at most this size, which bounds the write-ahead log. */
const PIECE = 1024 * 1024
/** Beyond this a batch is handed over early, so that a burst of large bodies is not held twice. */
const BATCH_BYTES = 8 * 1024 * 1024

/**
 * Batches on their way at a time. While one is being committed the next gathers here: the more arrives, the fewer messages and syncs
 * each delivery costs, and a lone delivery never waits.
 */
const IN_FLIGHT = 1

interface Waiting {
  readonly delivery: NewDelivery
  resolve(appended: Appended): void
  reject(error: Error): void
}

/** The writer thread as intake sees it. */
export interface IntakeTarget {
  send(message: BatchMessage): void
  /** Takes the bytes with their memory, and gives that back. */
  chunk(upload: string, seq: number, bytes: Uint8Array): Promise<Uint8Array>
  abandon(upload: string): Promise<void>
  correct(correction: Correction): Promise<void>
  /** Why nothing is kept now; null while deliveries are. */
  refusal(): string | null
  /** So many of what was stored were rebuilt, not received. */
  rebuilt(count: number): void
}

/** Pieces on their way to the writer, of all bodies. A batch waits behind them, so there are just enough to keep the writer busy. */
const PIECES_IN_FLIGHT = 2

/** How long durations wait for a delivery to take them along. */
const QUIET_MS = 500

/** Gathers the deliveries of one event-loop turn into a batch, and tells each of them when its own commit is done. */
export class IntakeQueue implements Capture {
  readonly #target: IntakeTarget
  readonly #durations: RecentDurations
  readonly #answers: RecentAnswers
  #queue: Waiting[] = []
  #queuedBytes = 0
  #scheduled = false
  #sent: Waiting[][] = []
  #piecesInFlight = 0
  readonly #piecesWaiting: (() => void)[] = []
  #took: number[] = []
  #quiet: NodeJS.Timeout | undefined
  #interrupted = false
  #closed = false

  constructor(target: IntakeTarget, durations: RecentDurations, answers: RecentAnswers) {
    this.#target = target
    this.#durations = durations
    this.#answers = answers
  }

  append(delivery: NewDelivery): Promise<Appended> {
    const refusal = this.#closed ? 'The store is closed.' : this.#target.refusal()
    if (refusal !== null) return Promise.reject(new AcuseError('store-failed', refusal))
    return new Promise((resolve, reject) => {
      this.#queue.push({ delivery, resolve, reject })
      if (!('upload' in delivery.body)) this.#queuedBytes += delivery.body.byteLength
      if (this.#queuedBytes >= BATCH_BYTES) this.#flush()
      else if (!this.#scheduled) {
        this.#scheduled = true
        setImmediate(() => this.#flush())
      }
    })
  }

  openBody(): BodySink {
    const upload = randomUUID()
    let seq = 0
    return {
      write: async (piece) => {
        const refusal = this.#target.refusal()
        if (refusal !== null) throw new AcuseError('store-failed', refusal)
        if (piece.byteLength <= PIECE && piece.byteLength === piece.buffer.byteLength)
          return this.#piece(() => this.#target.chunk(upload, seq++, piece))
        for (let at = 0; at < piece.byteLength; at += PIECE) {
          const part = Uint8Array.from(piece.subarray(at, at + PIECE))
          await this.#piece(() => this.#target.chunk(upload, seq++, part))
        }
        return piece
      },
      finish: async (): Promise<StoredBody> => ({ upload }),
      abandon: () => this.#target.abandon(upload),
    }
  }

  /** Waits for its turn among the pieces of all bodies. */
  async #piece<T>(write: () => Promise<T>): Promise<T> {
    if (this.#piecesInFlight >= PIECES_IN_FLIGHT)
      await new Promise<void>((resolve) => this.#piecesWaiting.push(resolve))
    else this.#piecesInFlight++
    try {
      return await write()
    } finally {
      const next = this.#piecesWaiting.shift()
      if (next) next()
      else this.#piecesInFlight--
    }
  }

  answered(id: number, tookUs: number | null, instead?: AnsweredInstead): void {
    if (tookUs !== null) this.#durations.add(id, tookUs)
    if (instead) this.#answers.add(id, instead, this.#target.correct({ id, tookUs, ...instead }))
    else if (tookUs !== null) {
      this.#took.push(id, tookUs)
      this.#quiet ??= setTimeout(() => this.#afterQuiet(), QUIET_MS).unref()
    }
  }

  /** Tells the deliveries of the oldest batches what became of them. */
  settle(outcomes: readonly Outcome[]): void {
    for (const outcome of outcomes) {
      const batch = this.#sent.shift() ?? []
      const rebuilt = batch.reduce((count, { delivery }) => count + (delivery.synthetic ? 1 : 0), 0)
      if (rebuilt > 0 && outcome.type === 'stored') this.#target.rebuilt(rebuilt)
      for (const [index, waiting] of batch.entries()) answer(waiting, outcome, index)
    }
    if (!this.#scheduled) this.#flush()
  }

  /**
   * The writer is gone: nobody knows whether the batches on their way were stored, so nobody is told that they were. What has not been
   * handed over waits for the next writer, which is a moment away.
   */
  interrupt(error: Error): void {
    this.#interrupted = true
    const unknown = this.#sent.flat()
    this.#sent = []
    for (const { reject } of unknown) reject(error)
  }

  /** The next writer could not start either: what has waited for it is refused. */
  refuse(error: Error): void {
    const waiting = this.#queue
    this.#queue = []
    this.#queuedBytes = 0
    for (const { reject } of waiting) reject(error)
  }

  /** A writer is there again. */
  resume(): void {
    this.#interrupted = false
    this.#flush()
  }

  /** Resolves when everything appended so far has its outcome; further deliveries are refused. */
  async close(): Promise<void> {
    this.#closed = true
    this.#flush()
    while (this.#sent.length + this.#queue.length > 0) await new Promise((resolve) => setTimeout(resolve, 2))
  }

  /** Durations that no batch has taken along yet. */
  takeTook(): number[] {
    const took = this.#took
    this.#took = []
    return took
  }

  /** No delivery came that could take the durations along, and a filter may ask for them. */
  #afterQuiet(): void {
    this.#quiet = undefined
    if (this.#took.length === 0 || this.#closed) return
    if (this.#interrupted || this.#sent.length + this.#queue.length > 0) {
      this.#quiet = setTimeout(() => this.#afterQuiet(), QUIET_MS).unref()
      return
    }
    this.#sent.push([])
    this.#target.send({ batch: packBatch([]), took: this.takeTook() })
  }

  #flush(): void {
    this.#scheduled = false
    const batch = this.#queue
    if (batch.length === 0 || this.#interrupted || this.#sent.length >= IN_FLIGHT) return
    this.#queue = []
    this.#queuedBytes = 0
    this.#sent.push(batch)
    this.#target.send({ batch: packBatch(batch.map(({ delivery }) => delivery)), took: this.takeTook() })
  }
}

function answer({ resolve, reject }: Waiting, outcome: Outcome, index: number): void {
  switch (outcome.type) {
    case 'stored':
      resolve({ id: outcome.firstId + index })
      return
    case 'spilled':
      resolve({ id: null })
      return
    case 'refused':
      reject(new AcuseError('store-failed', outcome.reason))
      return
    case 'mixed': {
      const id = outcome.ids[index] ?? null
      if (id !== null) resolve({ id })
      else
        reject(new AcuseError('store-failed', outcome.problems[index] || 'The delivery could not be stored.'))
    }
  }
}

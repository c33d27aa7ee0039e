import { randomUUID } from 'node:crypto'
import type { DeliveryDetail, DeliveryRow } from '#contract/delivery.ts'
import { AcuseError } from '#contract/errors.ts'
import type { AnsweredInstead, Appended, BodySink, Capture, NewDelivery, StoredBody } from '#core/ports.ts'
import { transfer } from '#threads/expose.ts'
import type { Remote } from '#threads/thread.ts'
import { headerRows, packBatch } from '../wire/record.ts'
import type { Outcome } from '../writer/status.ts'
import type { WriterHandlers } from '../writer/worker.ts'
import type { Budget } from './budget.ts'

/** Pieces of a large body are stored in transactions of at most this size, which bounds the write-ahead log. */
const PIECE = 1024 * 1024
/** Beyond this a batch is handed over early, so that a burst of large bodies is not held twice. */
const BATCH_BYTES = 8 * 1024 * 1024

interface Waiting {
  readonly delivery: NewDelivery
  resolve(appended: Appended): void
  reject(error: unknown): void
}

export type Committed = Awaited<ReturnType<Remote<WriterHandlers>['append']>>

/** Pieces on their way to the writer, of all bodies. A batch waits behind them, so there are just enough to keep the writer busy. */
const PIECES_IN_FLIGHT = 2

/** How long durations wait for a delivery to take them along. */
const QUIET_MS = 500

interface IntakeParts {
  readonly writer: Remote<WriterHandlers>
  readonly answers: RecentAnswers
  readonly budget: Budget
  /** @param rebuilt so many of the deliveries were rebuilt, not received */
  committed(commit: Committed, rebuilt: number): void
}

/**
 * Gathers the deliveries of one event-loop turn, and resolves each when its commit is done. While one batch is committed the next gathers:
 * the more arrives, the fewer messages and syncs each delivery costs, and a lone delivery never waits.
 */
export class IntakeQueue implements Capture {
  readonly #parts: IntakeParts
  #queue: Waiting[] = []
  #queuedBytes = 0
  #scheduled = false
  #committing = false
  #piecesInFlight = 0
  readonly #piecesWaiting: (() => void)[] = []
  #took: number[] = []
  #quiet: NodeJS.Timeout | undefined
  #interrupted = false
  #closed = false

  constructor(parts: IntakeParts) {
    this.#parts = parts
  }

  append(delivery: NewDelivery): Promise<Appended> {
    const refusal = this.#closed ? 'The store is closed.' : this.#parts.budget.refusal
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
        const refusal = this.#parts.budget.refusal
        if (refusal !== null) throw new AcuseError('store-failed', refusal)
        if (piece.byteLength <= PIECE && piece.byteLength === piece.buffer.byteLength)
          return this.#piece(() => this.#parts.writer.chunk(upload, seq++, transfer(piece, piece.buffer)))
        for (let at = 0; at < piece.byteLength; at += PIECE) {
          const part = Uint8Array.from(piece.subarray(at, at + PIECE))
          await this.#piece(() => this.#parts.writer.chunk(upload, seq++, transfer(part, part.buffer)))
        }
        return piece
      },
      finish: async (): Promise<StoredBody> => ({ upload }),
      abandon: () => this.#parts.writer.abandon(upload),
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
    if (tookUs !== null) this.#parts.answers.took(id, tookUs)
    if (instead) this.#parts.answers.add(id, instead, this.#parts.writer.correct({ id, tookUs, ...instead }))
    else if (tookUs !== null) {
      this.#took.push(id, tookUs)
      this.#quiet ??= setTimeout(() => this.#afterQuiet(), QUIET_MS).unref()
    }
  }

  /** The writer ended: its batch is rejected, and later deliveries wait for the next writer, which is a moment away. */
  interrupt(): void {
    this.#interrupted = true
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
    while (this.#committing || this.#queue.length > 0) await new Promise((resolve) => setTimeout(resolve, 2))
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
    if (this.#interrupted || this.#committing || this.#queue.length > 0)
      this.#quiet = setTimeout(() => this.#afterQuiet(), QUIET_MS).unref()
    else void this.#commit([])
  }

  #flush(): void {
    this.#scheduled = false
    if (this.#queue.length === 0 || this.#interrupted || this.#committing) return
    const batch = this.#queue
    this.#queue = []
    this.#queuedBytes = 0
    void this.#commit(batch)
  }

  async #commit(waiting: readonly Waiting[]): Promise<void> {
    this.#committing = true
    const batch = packBatch(waiting.map(({ delivery }) => delivery))
    let commit: Committed | undefined
    try {
      commit = await this.#parts.writer.append(transfer(batch, batch.bytes), this.takeTook())
    } catch (error) {
      // It is unknown whether they were stored, so each is refused.
      for (const { reject } of waiting) reject(error)
    }
    this.#committing = false
    for (const [index, one] of waiting.entries()) if (commit) answer(one, commit.outcome, index)
    if (!this.#scheduled) this.#flush()
    if (!commit) return
    const rebuilt = waiting.reduce((count, { delivery }) => count + (delivery.synthetic ? 1 : 0), 0)
    this.#parts.committed(commit, commit.outcome.type === 'stored' ? rebuilt : 0)
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

/** More than a window shows; older durations are in their rows by then. */
const KEPT = 4_096

/** What only this side knows of the latest answers, until the writer, in a pause, has written it into their rows. */
export class RecentAnswers {
  readonly #ids = new Float64Array(KEPT)
  readonly #took = new Float64Array(KEPT)
  readonly #instead = new Map<number, AnsweredInstead>()

  took(id: number, tookUs: number): void {
    const slot = id % KEPT
    this.#ids[slot] = id
    this.#took[slot] = tookUs
  }

  /** An answer that is another than appended. @param written settles when the row needs no help any more */
  add(id: number, instead: AnsweredInstead, written: Promise<unknown>): void {
    this.#instead.set(id, instead)
    const settled = () => {
      if (this.#instead.get(id) === instead) this.#instead.delete(id)
    }
    written.then(settled, settled)
  }

  complete<R extends DeliveryRow>(row: R): R {
    const instead = this.#instead.get(row.id)
    const slot = row.id % KEPT
    const tookUs = row.tookUs ?? (this.#ids[slot] === row.id ? (this.#took[slot] ?? null) : null)
    if (instead) return { ...row, tookUs, answer: instead.answer?.status ?? null }
    return tookUs === row.tookUs ? row : { ...row, tookUs }
  }

  completeDetail(detail: DeliveryDetail): DeliveryDetail {
    const instead = this.#instead.get(detail.id)
    if (!instead) return this.complete(detail)
    const { by, answer } = instead
    return {
      ...this.complete(detail),
      answeredBy: by,
      answered: answer && {
        headers: headerRows(answer.headers),
        bodyBase64: Buffer.from(answer.body).toString('base64'),
      },
    }
  }
}

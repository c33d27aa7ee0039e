import { randomUUID } from 'node:crypto'
import type { DeliveryDetail, DeliveryRow } from '#contract/delivery.ts'
import { AcuseError } from '#contract/errors.ts'
import { headerRows } from '#contract/headers.ts'
import type {
  AnsweredInstead,
  Appended,
  BodySink,
  Capture,
  Log,
  NewDelivery,
  StoredBody,
} from '#core/ports.ts'
import type { Remote } from '#threads/thread.ts'
import { deliveryRecord, KIND, pieceRecord, rawRecord } from '../wire/record.ts'
import type { WriterHandlers } from '../writer/worker.ts'
import type { Budget } from './budget.ts'

/** Largest record for a piece of a large body. */
const PIECE = 1024 * 1024
/** Bytes of bodies at which a batch is flushed early, so that a burst of large bodies is not in memory twice. */
const BATCH_BYTES = 8 * 1024 * 1024

interface Waiting {
  readonly delivery: NewDelivery
  resolve(appended: Appended): void
  reject(error: unknown): void
}

/** Limit of pieces of all bodies in flight to the log: enough to keep it busy, and few, because batches wait behind them. */
const PIECES_IN_FLIGHT = 2

/** How long durations wait to be sent with a batch of deliveries. */
const QUIET_MS = 500

/** The shared log that a store mirrors. */
export interface Mirrored {
  /** Name under which other followers see notes. */
  readonly author: string
  /** Appends what a follower may add: rebuilt events. */
  readonly log: Pick<Log, 'append'>
}

interface IntakeParts {
  readonly log: Pick<Log, 'append'>
  readonly writer: Pick<Remote<WriterHandlers>, 'correct'>
  readonly answers: RecentAnswers
  readonly budget: Pick<Budget, 'refusal'>
  /** Batches on their way to the log at once; default: 1. */
  readonly batches?: number
  /** Durations that no batch carried in time. */
  lasted(took: readonly number[]): void
}

/**
 * Gathers deliveries into a batch while each turn of the event loop brings more, and resolves each one when the log has it on the disk.
 * Otherwise the senders of one batch would send again while another is appended, and two half batches would take turns. A lone delivery
 * never waits.
 */
export class IntakeQueue implements Capture {
  readonly #parts: IntakeParts
  #queue: Waiting[] = []
  #queuedBytes = 0
  #scheduled = false
  #appending = 0
  /** Senders that were answered last or waited meanwhile: so many may send next. */
  #expected = 0
  /** Length of the queue one turn ago. */
  #looked = 0
  #piecesInFlight = 0
  readonly #piecesWaiting: (() => void)[] = []
  #took: number[] = []
  #quiet: NodeJS.Timeout | undefined
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
      else this.#flushSoon()
    })
  }

  openBody(): BodySink {
    const upload = randomUUID()
    let seq = 0
    return {
      write: async (piece) => {
        const refusal = this.#parts.budget.refusal
        if (refusal !== null) throw new AcuseError('store-failed', refusal)
        for (let at = 0; at < piece.byteLength; at += PIECE) {
          const bytes = piece.subarray(at, at + PIECE)
          await this.#piece(() => this.#parts.log.append([pieceRecord({ upload, seq: seq++, bytes })]))
        }
        return piece
      },
      finish: async (): Promise<StoredBody> => ({ upload }),
      // The log keeps the order, so this record comes after its pieces.
      abandon: async () => {
        const record = rawRecord(KIND.abandoned, Buffer.from(upload))
        await this.#parts.log.append([record])
      },
    }
  }

  /** Runs `write` when fewer than PIECES_IN_FLIGHT pieces are in flight. */
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

  /** Refuses further deliveries. Resolves when every append so far has its result. */
  async close(): Promise<void> {
    this.#closed = true
    this.#flush()
    while (this.#appending > 0 || this.#queue.length > 0)
      await new Promise((resolve) => setTimeout(resolve, 2))
  }

  /** Takes the durations that are not yet sent to the writer. */
  takeTook(): number[] {
    const took = this.#took
    this.#took = []
    return took
  }

  #afterQuiet(): void {
    this.#quiet = undefined
    if (this.#took.length > 0) this.#parts.lasted(this.takeTook())
  }

  /** Flushes when all expected senders have sent, or when a turn brought nothing: a batch costs the processor as much as ten deliveries. */
  #flushSoon(): void {
    if (this.#scheduled || this.#busy) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      const { length } = this.#queue
      const moreComes = length > this.#looked && length < this.#expected
      this.#looked = length
      if (moreComes) this.#flushSoon()
      else this.#flush()
    })
  }

  get #busy(): boolean {
    return this.#appending >= (this.#parts.batches ?? 1)
  }

  #flush(): void {
    if (this.#queue.length === 0 || this.#busy) return
    const batch = this.#queue
    this.#queue = []
    this.#queuedBytes = 0
    void this.#append(batch)
  }

  async #append(waiting: readonly Waiting[]): Promise<void> {
    this.#appending++
    let ids: readonly number[] | undefined
    try {
      ids = await this.#parts.log.append(waiting.map(({ delivery }) => deliveryRecord(delivery)))
    } catch (error) {
      // When the thread ended, nobody knows whether the batch was stored, so every delivery fails.
      for (const { reject } of waiting) reject(error)
    }
    this.#appending--
    for (const [index, { resolve }] of waiting.entries()) {
      const id = ids?.[index]
      if (id !== undefined) resolve({ id })
    }
    this.#expected = waiting.length + this.#queue.length
    this.#looked = 0
    if (this.#queue.length > 0) this.#flushSoon()
  }
}

/** Durations to cache: more than a window shows. Rows have the older ones already. */
const KEPT = 4_096

/** Facts of the latest answers that the writer has not yet written into their rows. */
export class RecentAnswers {
  readonly #ids = new Float64Array(KEPT)
  readonly #took = new Float64Array(KEPT)
  readonly #instead = new Map<number, AnsweredInstead>()

  took(id: number, tookUs: number): void {
    const slot = id % KEPT
    this.#ids[slot] = id
    this.#took[slot] = tookUs
  }

  /** Adds an answer that differs from the appended one. @param written settles when the row has it, or never will */
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

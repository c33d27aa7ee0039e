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

/** Pieces of a large body are records of at most this size. */
const PIECE = 1024 * 1024
/** Beyond this a batch is handed over early, so that a burst of large bodies is not held twice. */
const BATCH_BYTES = 8 * 1024 * 1024

interface Waiting {
  readonly delivery: NewDelivery
  resolve(appended: Appended): void
  reject(error: unknown): void
}

/** Pieces on their way to the log, of all bodies. A batch waits behind them, so there are just enough to keep the log busy. */
const PIECES_IN_FLIGHT = 2

/** How long durations wait for a delivery to take them along. */
const QUIET_MS = 500

interface IntakeParts {
  readonly log: Log
  readonly writer: Pick<Remote<WriterHandlers>, 'correct'>
  readonly answers: RecentAnswers
  readonly budget: Budget
  /** Durations that no delivery took along. */
  lasted(took: readonly number[]): void
}

/**
 * Gathers the deliveries of one event-loop turn into a batch, and resolves each of them when the log has it. While one batch is being
 * appended the next gathers: the more arrives, the fewer messages and syncs each delivery costs, and a lone delivery never waits.
 */
export class IntakeQueue implements Capture {
  readonly #parts: IntakeParts
  #queue: Waiting[] = []
  #queuedBytes = 0
  #scheduled = false
  #appending = false
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
        for (let at = 0; at < piece.byteLength; at += PIECE) {
          const bytes = piece.subarray(at, at + PIECE)
          await this.#piece(() => this.#parts.log.append([pieceRecord({ upload, seq: seq++, bytes })]))
        }
        return piece
      },
      finish: async (): Promise<StoredBody> => ({ upload }),
      // Behind its pieces, which the log keeps in order.
      abandon: async () => {
        const record = rawRecord(KIND.abandoned, Buffer.from(upload), new Uint8Array())
        await this.#parts.log.append([record])
      },
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

  /** Resolves when everything appended so far has its outcome; further deliveries are refused. */
  async close(): Promise<void> {
    this.#closed = true
    this.#flush()
    while (this.#appending || this.#queue.length > 0) await new Promise((resolve) => setTimeout(resolve, 2))
  }

  /** Durations that the writer does not know yet. */
  takeTook(): number[] {
    const took = this.#took
    this.#took = []
    return took
  }

  #afterQuiet(): void {
    this.#quiet = undefined
    if (this.#took.length > 0) this.#parts.lasted(this.takeTook())
  }

  #flush(): void {
    this.#scheduled = false
    if (this.#queue.length === 0 || this.#appending) return
    const batch = this.#queue
    this.#queue = []
    this.#queuedBytes = 0
    void this.#append(batch)
  }

  async #append(waiting: readonly Waiting[]): Promise<void> {
    this.#appending = true
    let ids: readonly number[] | undefined
    try {
      ids = await this.#parts.log.append(waiting.map(({ delivery }) => deliveryRecord(delivery)))
    } catch (error) {
      // After the end of the thread it is unknown whether they were stored, so each is refused.
      for (const { reject } of waiting) reject(error)
    }
    this.#appending = false
    for (const [index, { resolve }] of waiting.entries()) {
      const id = ids?.[index]
      if (id !== undefined) resolve({ id })
    }
    if (!this.#scheduled) this.#flush()
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

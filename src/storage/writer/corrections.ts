import type { AnsweredInstead } from '#core/ports.ts'
import { failureOf } from '../disk/files.ts'
import { packAnsweredBy, packHeaders } from '../wire/record.ts'
import type { Captured, Took } from './captured.ts'

/** An answer that differs from the appended one. */
export interface Correction extends AnsweredInstead {
  readonly id: number
  readonly tookUs: number | null
}

/** Limit of corrections that wait while the database cannot be written or filing is behind. */
const MOST = 10_000

/** Limit of durations that wait for their deliveries; the oldest are dropped. */
const MOST_TOOK = 100_000

/** Queue of facts about answers for the next commit, so that a fault rule for every delivery does not cost a transaction each. */
export class Corrections {
  #took = new Map<number, number>()
  #waiting: { readonly correction: Correction; done(): void }[] = []

  /** Resolves when the correction is written or dropped. */
  add(correction: Correction): Promise<void> {
    return new Promise((done) => {
      this.#waiting.push({ correction, done })
      if (this.#waiting.length > MOST) this.#waiting.shift()?.done()
    })
  }

  /** @param took ids and durations of answers in microseconds, alternating */
  lasted(took: readonly number[]): void {
    for (let i = 0; i + 1 < took.length; i += 2) this.#took.set(took[i] ?? 0, took[i + 1] ?? 0)
    if (this.#took.size > MOST_TOOK) this.#took = new Map([...this.#took].slice(-MOST_TOOK / 2))
  }

  get took(): Took {
    return this.#took
  }

  get any(): boolean {
    return this.#waiting.length > 0 || this.#took.size > 0
  }

  /** Writes the corrections of deliveries up to an id. Call it in a transaction, and `joined` after the commit. */
  join(captured: Captured, highestId: number): void {
    for (const { correction } of this.#waiting) if (correction.id <= highestId) apply(captured, correction)
  }

  joined(highestId: number): void {
    for (const id of this.#took.keys()) if (id <= highestId) this.#took.delete(id)
    if (this.#waiting.length === 0) return
    const written = this.#waiting.filter(({ correction }) => correction.id <= highestId)
    this.#waiting = this.#waiting.filter(({ correction }) => correction.id > highestId)
    for (const { done } of written) done()
  }
}

function apply(captured: Captured, { id, tookUs, by, answer }: Correction): void {
  try {
    const kept = answer && captured.intake.answerId(packHeaders(answer.headers), Buffer.from(answer.body))
    captured.statements
      .run`UPDATE delivery SET took_us = ${tookUs}, answered_by = ${packAnsweredBy(by)}, answer_status =
        ${answer?.status ?? null}, answer_id = ${kept} WHERE id = ${id}`
  } catch (error) {
    // A correction that SQLite refuses because of its own data must not fail the deliveries of the transaction.
    if (failureOf(error) !== 'row') throw error
  }
}

import type { AnsweredInstead } from '#core/ports.ts'
import { failureOf } from '../disk/files.ts'
import { packAnsweredBy, packHeaders } from '../wire/record.ts'
import type { Captured, Took } from './captured.ts'

/** An answer that was another than the one appended. */
export interface Correction extends AnsweredInstead {
  readonly id: number
  readonly tookUs: number | null
}

/** While the database cannot be written, or filing is behind, no more than these wait for it. */
const MOST = 10_000

/** Durations of answers that wait for their deliveries; the oldest give way. */
const MOST_TOOK = 100_000

/** What is known of answers and waits for the next commit: a fault at every delivery must not cost a transaction of its own each time. */
export class Corrections {
  #took = new Map<number, number>()
  #waiting: { readonly correction: Correction; done(): void }[] = []

  /** Resolves when it is written, or given up. */
  add(correction: Correction): Promise<void> {
    return new Promise((done) => {
      this.#waiting.push({ correction, done })
      if (this.#waiting.length > MOST) this.#waiting.shift()?.done()
    })
  }

  /** @param took ids and microseconds in turn: how long answers took */
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

  /** Writes those of deliveries up to an id; call it in a transaction, and `joined` after it. */
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
    // One that SQLite refuses for its own data must not fail the deliveries beside it.
    if (failureOf(error) !== 'row') throw error
  }
}

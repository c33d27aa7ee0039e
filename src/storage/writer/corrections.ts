import type { AnsweredInstead } from '#core/ports.ts'
import { failureOf } from '../disk/files.ts'
import { packAnsweredBy, packHeaders } from '../wire/record.ts'
import type { Captured } from './captured.ts'

/** An answer that was another than the one appended. */
export interface Correction extends AnsweredInstead {
  readonly id: number
  readonly tookUs: number | null
}

/** While the database cannot be written, no more than these wait for it. */
const MOST = 1_000

/** Corrections that wait for the next commit: a fault at every delivery must not cost a sync of its own each time. */
export class Corrections {
  #waiting: { readonly correction: Correction; done(): void }[] = []

  /** Resolves when it is written, or given up. */
  add(correction: Correction): Promise<void> {
    return new Promise((done) => {
      this.#waiting.push({ correction, done })
      if (this.#waiting.length > MOST) this.#waiting.shift()?.done()
    })
  }

  /** What is to join the next transaction; undefined when there is nothing. */
  joining(captured: Captured): (() => void) | undefined {
    if (this.#waiting.length === 0) return undefined
    return () => {
      for (const { correction } of this.#waiting) apply(captured, correction)
    }
  }

  /** The transaction is committed. */
  joined(): void {
    if (this.#waiting.length === 0) return
    const written = this.#waiting
    this.#waiting = []
    for (const { done } of written) done()
  }
}

function apply(captured: Captured, { id, tookUs, by, answer }: Correction): void {
  try {
    const kept = answer && captured.keepAnswer(latin1(answer.headers), Buffer.from(answer.body))
    captured.statements
      .run`UPDATE delivery SET took_us = ${tookUs}, answered_by = ${packAnsweredBy(by)}, answer_status =
        ${answer?.status ?? null}, answer_id = ${kept} WHERE id = ${id}`
  } catch (error) {
    // One that SQLite refuses for its own data must not fail the deliveries beside it.
    if (failureOf(error) !== 'row') throw error
  }
}

const latin1 = (headers: readonly string[]): Buffer => Buffer.from(packHeaders(headers), 'latin1')

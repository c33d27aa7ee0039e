import type { DeliveryDetail, DeliveryRow } from '#contract/delivery.ts'
import type { AnsweredInstead } from '#core/ports.ts'

/** More than a window shows; older durations are in their rows by then. */
const KEPT = 4_096

/** What only this side knows of the latest answers, until the writer, in a pause, has written it into their rows. */
export class RecentAnswers {
  readonly #ids = new Float64Array(KEPT)
  readonly #took = new Float64Array(KEPT)
  readonly #instead = new Map<number, AnsweredInstead>()

  /** How long an answer took. */
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
        headers: answer.headers.flatMap((name, i, list) =>
          i % 2 === 0 ? [{ name, value: list[i + 1] ?? '', masked: false }] : [],
        ),
        bodyBase64: Buffer.from(answer.body).toString('base64'),
      },
    }
  }
}

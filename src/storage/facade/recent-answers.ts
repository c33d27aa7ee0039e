import type { DeliveryDetail, DeliveryRow } from '#contract/delivery.ts'
import type { AnsweredInstead } from '#core/ports.ts'

/** Answers that were others than appended, until the writer, in a pause, has written them into their rows. */
export class RecentAnswers {
  readonly #known = new Map<number, AnsweredInstead>()

  /** @param written resolves, or rejects, when the row needs no help any more */
  add(id: number, instead: AnsweredInstead, written: Promise<unknown>): void {
    this.#known.set(id, instead)
    const settled = () => {
      if (this.#known.get(id) === instead) this.#known.delete(id)
    }
    written.then(settled, settled)
  }

  complete<R extends DeliveryRow>(row: R): R {
    const instead = this.#known.get(row.id)
    return instead ? { ...row, answer: instead.answer?.status ?? null } : row
  }

  completeDetail(detail: DeliveryDetail): DeliveryDetail {
    const instead = this.#known.get(detail.id)
    if (!instead) return detail
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

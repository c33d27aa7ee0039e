import { messageOf, type Refusal } from '#contract/errors.ts'

/** A refusal on its way through promises. Views show it with `refusalText` of i18n/refusals.ts. */
export class RefusalError extends Error {
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super(refusal.message)
    this.name = 'RefusalError'
    this.refusal = refusal
  }
}

/** What to show for anything caught: the host's own refusal, or a defect of the window as `internal`. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof RefusalError) return error.refusal
  return { code: 'internal', message: messageOf(error) }
}

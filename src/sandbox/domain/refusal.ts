interface RefusalDetails {
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly field?: string | undefined
}

/** The refusal of a call that changed nothing. The code is stable; the message is for users. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly headers: Readonly<Record<string, string>>
  readonly field: string | undefined
  constructor(status: number, code: string, message: string, { headers = {}, field }: RefusalDetails = {}) {
    super(message)
    this.name = 'Refusal'
    this.status = status
    this.code = code
    this.headers = headers
    this.field = field
  }
}

export const bad = (code: string, message: string, field?: string): Refusal =>
  new Refusal(400, code, message, { field })
export const badAmount = (most: string): Refusal =>
  bad('bad-amount', `amount is more than 0 and at most ${most}.`, 'amount')
export const notFound = (message: string, code = 'not-found'): Refusal => new Refusal(404, code, message)
/** Refusal of an operation that the state of a document or contact does not allow. */
export const refused = (code: string, message: string): Refusal => new Refusal(409, code, message)

/** @returns an English message for users, and a code */
export function failureOf(error: unknown): { readonly message: string; readonly code: string } {
  const stored = error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR'
  return {
    message: messageOf(error),
    code: error instanceof Refusal ? error.code : stored ? 'storage' : 'internal',
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

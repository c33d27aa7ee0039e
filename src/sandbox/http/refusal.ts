import { SandboxError } from '../world.ts'

/** An answer that is no success, with the code and the sentence of its body (sandbox choice). */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly headers: Readonly<Record<string, string>>
  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.name = 'Refusal'
    this.status = status
    this.code = code
    this.headers = headers
  }
}

/** What a thrown thing is to the caller; the words of an unforeseen error stay inside. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof SandboxError) return new Refusal(error.status, error.code, error.message)
  return new Refusal(500, 'internal', 'The sandbox failed to do this.')
}

/** The shape of every error body (sandbox choice). */
export const errorBody = ({ code, message }: { readonly code: string; readonly message: string }) => ({
  error: { code, message },
})

export const bad = (code: string, message: string): Refusal => new Refusal(400, code, message)
export const notFound = (message: string): Refusal => new Refusal(404, 'not-found', message)

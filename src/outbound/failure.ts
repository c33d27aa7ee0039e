import type { AttemptError, AttemptErrorCode } from '#contract/replay.ts'

export function failure(code: AttemptErrorCode, message: string, params: AttemptError['params'] = {}) {
  return { code, message, params }
}

/** A failure that is explained already, on its way through what only takes an Error. */
export class ExplainedError extends Error {
  readonly explained: AttemptError
  constructor(explained: AttemptError) {
    super(explained.message)
    this.name = 'ExplainedError'
    this.explained = explained
  }
}

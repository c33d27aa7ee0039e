/** Stable codes of refusals; people script against them. */
export const ERROR_CODES = [
  'bad-params',
  'unknown-command',
  'not-found',
  'bad-filter',
  'conflict',
  'not-available',
  'forbidden',
  'store-failed',
  'in-use',
  'newer-schema',
  'internal',
  'damaged',
] as const
export type ErrorCode = (typeof ERROR_CODES)[number]

/** A refusal as it crosses a boundary: what was wrong, where, what to do. */
export interface Refusal {
  readonly code: ErrorCode
  /** A sentence for a person, in English; the window translates by `code` and `details` where it can. */
  readonly message: string
  readonly command?: string
  /** Where exactly: a parameter path, a column of the filter, a file. */
  readonly details?: Details
}
type Details = Readonly<Record<string, string | number | null>>

/** A refusal on its way to a boundary. Anything else thrown is a defect and crosses as `internal`. */
export class AcuseError extends Error {
  readonly code: ErrorCode
  readonly details: Details
  constructor(code: ErrorCode, message: string, details: Details = {}) {
    super(message)
    this.name = 'AcuseError'
    this.code = code
    this.details = details
  }
}

export const conflict = (message: string, details?: Details): AcuseError =>
  new AcuseError('conflict', message, details)
export const notFound = (message: string, details?: Details): AcuseError =>
  new AcuseError('not-found', message, details)
/** @param path of the parameter that is refused */
export const badParam = (path: string, message: string): AcuseError =>
  new AcuseError('bad-params', message, { path })

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** What crosses a boundary for something thrown. Defects keep their message (they are ours, and loopback only) but never a stack. */
export function toRefusal(error: unknown, command?: string): Refusal {
  const at = command === undefined ? {} : { command }
  if (error instanceof AcuseError)
    return { code: error.code, message: error.message, details: error.details, ...at }
  return { code: 'internal', message: messageOf(error), ...at }
}

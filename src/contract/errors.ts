/** Stable error codes: users script against them. */
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

/** An error as the other side of a boundary sees it: what is wrong, where, and what to do. */
export interface Refusal {
  readonly code: ErrorCode
  /** English sentence for a person; the window translates by `code` and `details` where it can. */
  readonly message: string
  readonly command?: string
  /** Exact location: a parameter path, a column in the filter, a file. */
  readonly details?: Details
}
type Details = Readonly<Record<string, string | number | null>>

/** An expected error that crosses the boundary with its code. Any other thrown value is a defect and crosses as `internal`. */
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
/** @param path of the refused parameter */
export const badParam = (path: string, message: string): AcuseError =>
  new AcuseError('bad-params', message, { path })

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Converts a thrown value for the boundary. Defects keep their message (it is ours, and loopback only) but never a stack. */
export function toRefusal(error: unknown, command?: string): Refusal {
  const at = command === undefined ? {} : { command }
  if (error instanceof AcuseError)
    return { code: error.code, message: error.message, details: error.details, ...at }
  return { code: 'internal', message: messageOf(error), ...at }
}

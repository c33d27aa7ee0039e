import { filled } from '#catalog/text.ts'
import en from './refusals-en.json' with { type: 'json' }

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
  'read-only',
  'bad-record',
] as const
export type ErrorCode = (typeof ERROR_CODES)[number]

/** An error as the other side of a boundary sees it: what is wrong, where, and what to do. */
export interface Refusal {
  readonly code: ErrorCode
  /** English sentence for a person; the window says its own, by `code` and `details`. */
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

type Why<C> = C extends keyof typeof en ? keyof (typeof en)[C] & string : never
export type RefusalSentences = Readonly<Record<string, Readonly<Record<string, string>>>>

/** @param why names the sentence in refusals-en.json and refusals-es.json; it crosses as `details.why` */
export function refused<C extends ErrorCode>(code: C, why: Why<C>, details: Details = {}): AcuseError {
  const all = { ...details, why }
  return new AcuseError(code, refusalSentence({ code, details: all }, en) ?? why, all)
}

/** @param sentences of refusals-en.json or refusals-es.json @returns the sentence that `details.why` names, filled; undefined without one */
export function refusalSentence(
  { code, details = {} }: { readonly code: ErrorCode; readonly details: Details | undefined },
  sentences: RefusalSentences,
): string | undefined {
  const sentence = sentences[code]?.[String(details.why)]
  return sentence === undefined ? undefined : filled(sentence, details)
}
/** @param path of the refused parameter */
export const badParam = (path: string, message: string): AcuseError =>
  new AcuseError('bad-params', message, { path })

export const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown))
export const messageOf = (thrown: unknown): string => asError(thrown).message

/** Why a part of a file cannot be imported; a value, as an import goes on after it. */
export const badRecord = (why: Why<'bad-record'>, details: Details = {}): Refusal =>
  toRefusal(refused('bad-record', why, details))

/** Converts a thrown value for the boundary. Defects keep their message (it is ours, and loopback only) but never a stack. */
export function toRefusal(error: unknown, command?: string): Refusal {
  const at = command === undefined ? {} : { command }
  if (error instanceof AcuseError)
    return { code: error.code, message: error.message, details: error.details, ...at }
  return { code: 'internal', message: messageOf(error), ...at }
}

import type { AttemptError, AttemptErrorCode, JobFailure, LaneFailure } from '#contract/replay.ts'
import type { Outcome } from './ports.ts'

/** An error of an attempt: why nothing was sent, or no answer came. */
export const failure = <C extends string>(code: C, message: string, params: AttemptError['params'] = {}) => ({
  code,
  message,
  params,
})

/** Default failure statuses: all but 2xx. */
export const BUT_2XX = ['1xx', '3xx', '4xx', '5xx'] as const

/** True for a complete answer whose status is not in `failures` (such as `404` or `4xx`). */
export function isSuccess({ answer, error }: Outcome, failures: readonly string[]): boolean {
  if (error || !answer) return false
  const status = String(answer.status)
  return !failures.includes(status) && !failures.includes(`${status[0]}xx`)
}

interface Answered {
  readonly answer: { readonly status: number } | null
  readonly error: AttemptError | null
}

export function failureOf({ answer, error }: Answered): JobFailure | null {
  if (error) return error
  if (!answer) return null
  const { status } = answer
  const message = `The target answered ${status}, which counts as a failure in this job.`
  return failure('failure-status', message, { status })
}

/** The target is down: the delivery did not arrive, or a proxy in front of the application says that it is not up. */
const AWAY_STATUSES: ReadonlySet<number> = new Set([502, 503, 504])
const AWAY: ReadonlySet<AttemptErrorCode> = new Set([
  'name-not-found',
  'connection-refused',
  'connection-failed',
  'connect-timeout',
  'tls',
  'proxy',
])
const REFUSED: ReadonlySet<AttemptErrorCode> = new Set([
  'bad-url',
  'destination-refused',
  'own-receiver',
  'target-gone',
])
/** Tries after which a broken connection counts as this delivery's failure, which must not block the queue for ever. */
const BROKEN_OFF_TRIES = 3

/**
 * What an outcome says about a forward's target.
 * @param tries of this entry, including this one
 * @returns `there`: it answered, or the failure is the delivery's own; `away`: try again later; `refused`: not allowed, or removed
 */
export function reach({ answer, error }: Outcome, tries: number): 'there' | 'away' | 'refused' {
  if (answer && AWAY_STATUSES.has(answer.status)) return 'away'
  if (!error) return 'there'
  if (REFUSED.has(error.code)) return 'refused'
  if (AWAY.has(error.code)) return 'away'
  return error.code === 'connection-closed' && !answer && tries < BROKEN_OFF_TRIES ? 'away' : 'there'
}

export function awayFor({ answer, error }: Answered): LaneFailure | null {
  if (error) return error
  if (!answer) return null
  const { status } = answer
  const message = `The target answered ${status}: it reports that the application is not running. Start it, or check its log.`
  return failure('away-status', message, { status })
}

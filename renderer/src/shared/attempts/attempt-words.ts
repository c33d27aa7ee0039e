import type { SweepProblem } from '#contract/reconcile.ts'
import type {
  AttemptErrorCode,
  AttemptOrigin,
  AttemptRow,
  JobFailure,
  LaneFailure,
} from '#contract/replay.ts'
import { ATTEMPT_ERRORS, SWEEP_REASONS, TLS_REASONS } from '#contract/values.ts'
import { useTexts } from '@/shared/i18n/format.ts'

/** Details beside a translated error: the address and the system's own error text. The reason may have a translation of its own. */
export function errorFacts({ params }: JobFailure | LaneFailure): {
  readonly where: string | null
  readonly reason: string | null
} {
  const text = (name: string): string | null => {
    const value = params[name]
    return value === undefined || value === '' ? null : String(value)
  }
  const host = text('host')
  const port = text('port')
  // An IPv6 address needs brackets in front of a port.
  const named = host?.includes(':') && port !== null ? `[${host}]` : host
  const place = named !== null && port !== null ? `${named}:${port}` : named
  const reason = text('reason')
  return {
    where: text('proxy') ?? place ?? text('address') ?? text('url') ?? text('target') ?? text('id'),
    reason: reason === 'unknown' ? null : reason,
  }
}

type OutcomeKey = `errorWords.${AttemptErrorCode}` | 'attempts.sending' | 'attempts.uncertain'

/** The outcome of an attempt as plain text, for places without an icon. @param word translation; the codes are for programs */
export function outcomeText(
  { status, error, state }: Pick<AttemptRow, 'status' | 'error' | 'state'>,
  word: (key: OutcomeKey) => string,
): string {
  if (status !== null) return String(status)
  if (error) return word(`errorWords.${error.code}`)
  return word(state === 'sending' ? 'attempts.sending' : 'attempts.uncertain')
}

/** @returns a function from error to sentence: the host's more precise one in English, else the translation of its code */
export function useAttemptErrorText(): (error: JobFailure | LaneFailure) => string {
  const { t, language } = useTexts('replays')
  return (error) => {
    if (language === 'en' && error.message !== '') return error.message
    const { where, reason } = errorFacts(error)
    const known = TLS_REASONS.find((one) => one === reason)
    const facts = [where, known && error.code === 'tls' ? t(`tlsReasons.${known}`) : reason]
    const told = facts.filter((fact) => fact !== null).join(', ')
    const said = t(`errors.${error.code}`, { status: error.params.status ?? '' })
    return told === '' ? said : `${said} (${told})`
  }
}

export function useOriginText(): (origin: AttemptOrigin) => string {
  const { t } = useTexts('replays')
  return (origin) => {
    if (origin.by === 'job') return t('attempts.byJob', { id: origin.job })
    if (origin.by === 'forward') return t('attempts.byForward', { name: origin.forward })
    return t('attempts.byHand')
  }
}

/** @returns a function for the text below a sweep problem's title: the answer behind it, the reason, and whether Acuse retries */
export function useProblemText(): (problem: SweepProblem) => string {
  const { t } = useTexts(['reconcile', 'replays'])
  const errorText = useAttemptErrorText()
  return ({ code, message, params }) => {
    const error = ATTEMPT_ERRORS.find((one) => one === params.code)
    const why = SWEEP_REASONS.find((one) => one === params.why)
    const facts = [
      params.location !== undefined
        ? t('problemFact.redirected', params)
        : params.status !== undefined &&
          t(params.said ? 'problemFact.answered' : 'problemFact.answeredEmpty', params),
      error && errorText({ code: error, message: code === 'unreachable' ? message : '', params }),
      why && t(`problemWhy.${why}`, params),
      params.tried !== undefined && t('problemFact.retrying', params),
    ]
    return facts.filter(Boolean).join(' ')
  }
}

import { useTranslation } from 'react-i18next'
import type { SweepProblem } from '#contract/reconcile.ts'
import { ATTEMPT_ERRORS, SWEEP_REASONS } from '#contract/values.ts'
import { useAttemptErrorText } from './attempt-words.ts'

/** @returns a function for the text below a sweep problem's title: the answer behind it, the reason, and whether Acuse retries */
export function useProblemText(): (problem: SweepProblem) => string {
  const { t } = useTranslation(['reconcile', 'replays'])
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

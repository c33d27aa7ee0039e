import { useTranslation } from 'react-i18next'
import type { AttemptOrigin, JobFailure, LaneFailure } from '#contract/replay.ts'
import { useLanguage } from '@/shared/i18n/format.ts'
import { errorFacts } from './error-facts.ts'

/** Reasons of a failed TLS connection that have words of their own. */
const TLS_REASONS = [
  'self-signed',
  'unknown-issuer',
  'expired',
  'not-yet-valid',
  'revoked',
  'wrong-name',
  'not-tls',
  'client-certificate',
  'unknown-name',
  'protocol-version',
  'no-common-cipher',
] as const

/** @returns the sentence for what went wrong: the host's own in English, which says more, else one by its code */
export function useAttemptErrorText(): (error: JobFailure | LaneFailure) => string {
  const { t } = useTranslation('replays')
  const language = useLanguage()
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

/** @returns who sent it, in words */
export function useOriginText(): (origin: AttemptOrigin) => string {
  const { t } = useTranslation('replays')
  return (origin) => {
    if (origin.by === 'job') return t('attempts.byJob', { id: origin.job })
    if (origin.by === 'forward') return t('attempts.byForward', { name: origin.forward })
    return t('attempts.byHand')
  }
}

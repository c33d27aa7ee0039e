import { useTranslation } from 'react-i18next'
import type { AttemptError, AttemptOrigin } from '#contract/replay.ts'
import { useLanguage } from '@/i18n/format.ts'

/** @returns the sentence for what went wrong: the host's own in English, which says more, else one by its code */
export function useAttemptErrorText(): (error: AttemptError) => string {
  const { t } = useTranslation('replays')
  const language = useLanguage()
  return (error) => {
    if (language === 'en') return error.message
    const facts = Object.values(error.params).filter((value) => value !== '')
    const sentence = t(`errors.${error.code}`)
    return facts.length > 0 ? `${sentence} (${facts.join(', ')})` : sentence
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

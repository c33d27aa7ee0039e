import { useTranslation } from 'react-i18next'
import type { Refusal } from '#contract/errors.ts'

/** @returns a function that gives the sentence to show for a refusal, in the window's language */
export function useRefusalText(): (refusal: Refusal) => string {
  const { t } = useTranslation('errors')
  return (refusal) => t(refusal.code, { message: refusal.message })
}

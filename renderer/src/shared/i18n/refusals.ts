import { useTranslation } from 'react-i18next'
import type { Refusal } from '#contract/errors.ts'

export function useRefusalText(): (refusal: Refusal) => string {
  const { t } = useTranslation('errors')
  return (refusal) => t(refusal.code, { message: refusal.message })
}

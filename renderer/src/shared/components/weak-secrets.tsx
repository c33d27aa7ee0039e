import { useTranslation } from 'react-i18next'
import { useStatus } from '@/shared/live/status.ts'
import { Banner } from './banner.tsx'

/** Stands beside every form that takes a secret, where the system's store for secrets does not protect them; else nothing. */
export function WeakSecrets() {
  const { t } = useTranslation()
  const weak = useStatus((s) => s.info?.capabilities.weakSecretStore)
  if (!weak) return null
  return (
    <Banner tone="warning" inset>
      {t('weakSecrets')}
    </Banner>
  )
}

import { useTranslation } from 'react-i18next'
import { useStatus } from '@/shared/live/status.ts'
import { Banner } from './banner.tsx'

/** Warning for forms with a secret, shown when the system's secret store offers no protection. */
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

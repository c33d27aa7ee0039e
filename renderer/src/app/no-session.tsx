import { KeyRound } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '@/shared/components/empty-state.tsx'
import styles from './app.module.css'

const COMMAND = 'acuse link'

/** All that a browser without a session gets to see. */
export function NoSession() {
  const { t } = useTranslation('shell')
  return (
    <main className={styles.noSession}>
      <EmptyState icon={<KeyRound />} title={t('noSession.title')} actions={<code>{COMMAND}</code>}>
        {t('noSession.text')} {t('noSession.tunnel')}
      </EmptyState>
    </main>
  )
}

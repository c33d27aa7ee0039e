import { Zap } from 'lucide-react'
import type { ComponentPropsWithRef } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './faults.module.css'

/** Says that answers are not what the endpoints say, and opens the list of why. */
export function FaultsTrigger({
  count,
  ...props
}: ComponentPropsWithRef<'button'> & { readonly count: number }) {
  const { t } = useTranslation('shell')
  return (
    <button type="button" aria-haspopup="dialog" aria-expanded={false} {...props} className={styles.trigger}>
      <Zap aria-hidden="true" />
      {t('faults', { count })}
    </button>
  )
}

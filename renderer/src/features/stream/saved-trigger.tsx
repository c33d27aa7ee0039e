import { Bookmark } from 'lucide-react'
import type { ComponentPropsWithRef } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './kinds-trigger.module.css'

/** Opens the filters with names. */
export function SavedTrigger(props: ComponentPropsWithRef<'button'>) {
  const { t } = useTranslation('stream')
  const label = t('filter.saved')
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-expanded={false}
      {...props}
      title={label}
      aria-label={label}
      className={styles.trigger}
    >
      <Bookmark aria-hidden="true" />
    </button>
  )
}

import { Columns3 } from 'lucide-react'
import type { ComponentPropsWithRef } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './columns-trigger.module.css'

/** Stands over the end of the headings. */
export function ColumnsTrigger(props: ComponentPropsWithRef<'button'>) {
  const { t } = useTranslation('stream')
  return (
    <button
      type="button"
      aria-haspopup="menu"
      aria-expanded={false}
      {...props}
      className={styles.button}
      aria-label={t('columns.button')}
      title={t('columns.button')}
    >
      <Columns3 aria-hidden="true" />
    </button>
  )
}

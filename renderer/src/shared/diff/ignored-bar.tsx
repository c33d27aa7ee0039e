import { X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Captured } from '@/shared/components/captured.tsx'
import styles from './diff-layer.module.css'

/** The members whose differences are passed over; each can be taken back. */
export function IgnoredBar({
  ignored,
  onChange,
}: {
  readonly ignored: readonly string[]
  readonly onChange: (ignored: readonly string[]) => void
}) {
  const { t } = useTranslation('diff')
  if (ignored.length === 0) return null
  return (
    <div className={styles.ignored}>
      <span>{t('ignoring')}</span>
      {ignored.map((pointer) => (
        <button
          key={pointer}
          type="button"
          aria-label={t('stopIgnoring', { pointer })}
          title={t('stopIgnoring', { pointer })}
          onClick={() => onChange(ignored.filter((one) => one !== pointer))}
        >
          <Captured text={pointer} mono most={80} />
          <X aria-hidden="true" />
        </button>
      ))}
    </div>
  )
}

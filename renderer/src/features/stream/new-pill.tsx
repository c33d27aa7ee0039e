import { ArrowUp, Pause } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '@/shared/i18n/format.ts'
import styles from './grid.module.css'

export interface NewPillProps {
  /** Deliveries that came since the list stopped. */
  readonly count: number
  readonly paused: boolean
  readonly onClick: () => void
}

/** What came since the list stopped, and the way back to the newest. */
export function NewPill({ count, paused, onClick }: NewPillProps) {
  const { t } = useTranslation('stream')
  const format = useFormat()
  if (count <= 0 && !paused) return null
  const fresh = t('new', { count, formatted: format.number(count) })
  return (
    <button type="button" className={styles.pill} title={t('toNewest')} onClick={onClick}>
      {paused ? <Pause aria-hidden="true" /> : <ArrowUp aria-hidden="true" />}
      {paused ? `${t('paused')}${count > 0 ? ` · ${fresh}` : ''}` : fresh}
    </button>
  )
}

import { CircleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/shared/components/button.tsx'
import { useFormat } from '@/shared/i18n/format.ts'
import type { DataCheck } from './data-check.ts'
import styles from './plugins.module.css'

export interface DataNotesProps {
  readonly check: DataCheck
  /** Shows a place of the data, 1-based. */
  readonly onPlace: (line: number, column: number) => void
}

/** What will go out, or where the data is no JSON object. */
export function DataNotes({ check, onPlace }: DataNotesProps) {
  const { t } = useTranslation(['plugins', 'sandbox'])
  const format = useFormat()
  if (check.is === 'none') return <p className={styles.note}>{t('without')}</p>
  if (check.is === 'object')
    return <p className={styles.note}>{t('size', { size: format.bytes(check.bytes) })}</p>
  const { line, column } = check.place
  return (
    <p className={styles.wrong} role="alert">
      <CircleAlert aria-hidden="true" />
      <span>
        <b>{t('sandbox:emit.notJson.place', { line, column })}</b>{' '}
        {check.is === 'no-object'
          ? t('noObject')
          : t(`sandbox:emit.notJson.${check.reason}`, { found: check.found })}
      </span>
      <Button small variant="quiet" onClick={() => onPlace(line, column)}>
        {t('sandbox:emit.goTo')}
      </Button>
    </p>
  )
}

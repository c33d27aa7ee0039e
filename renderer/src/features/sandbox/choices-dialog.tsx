import { useTranslation } from 'react-i18next'
import { Dialog } from '@/shared/components/dialog.tsx'
import styles from './choices.module.css'

/** Rows of the readings' table "Sandbox choices", in its order. */
const ROWS = [
  ...(['error', 'key', 'parameters', 'dates', 'order', 'item', 'type'] as const),
  ...(['plugins', 'dgii', 'note', 'test', 'timeout'] as const),
] as const

/** What our simulator chose where the specification leaves it open; never to be taken for a fact about the service. */
export function ChoicesDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('sandbox')
  return (
    <Dialog
      open
      onClose={onClose}
      width={720}
      title={t('choices.title')}
      description={t('choices.lead')}
      reading
    >
      <dl className={styles.rows}>
        {ROWS.map((row) => (
          <div key={row} className={styles.row}>
            <dt>{t(`choices.rows.${row}.point`)}</dt>
            <dd>{t(`choices.rows.${row}.choice`)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

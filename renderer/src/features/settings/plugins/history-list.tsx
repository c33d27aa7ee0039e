import { Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { cx } from '@/shared/components/cx.ts'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { useFormat } from '@/shared/i18n/format.ts'
import { OutcomeMark } from './outcome-mark.tsx'
import styles from './plugins.module.css'
import { MOST_KEPT, usePublished } from './published.ts'

/** What this window published, newest first. */
export function HistoryList() {
  const { t } = useTranslation('plugins')
  const format = useFormat()
  const { events, shown, show, clear } = usePublished()
  return (
    <section className={styles.history} aria-label={t('history.title')}>
      <header>
        <h2 title={t('history.text', { most: MOST_KEPT })}>{t('history.title')}</h2>
        <span className={styles.spacer} />
        <IconButton
          small
          label={t('history.clear')}
          icon={<Trash2 />}
          disabled={events.length === 0}
          onClick={clear}
        />
      </header>
      {events.length === 0 ? (
        <p className={styles.nothing}>{t('history.none')}</p>
      ) : (
        <ul>
          {events.map(({ id, at, eventType, connection, outcome }) => (
            <li key={id}>
              <button
                type="button"
                className={cx(styles.past, id === shown && styles.on)}
                aria-current={id === shown ? 'true' : undefined}
                onClick={() => show(id)}
              >
                <span className={styles.time}>{format.clock(at).slice(0, 8)}</span>
                <code>{eventType}</code>
                <span className={styles.where}>{connection}</span>
                <OutcomeMark outcome={outcome} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

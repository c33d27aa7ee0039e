import { ScrollText, SearchX } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/shared/components/button.tsx'
import { EmptyState } from '@/shared/components/empty-state.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { Spinner } from '@/shared/components/spinner.tsx'
import { useRoute } from '@/shared/live/route.ts'
import styles from './log.module.css'
import { LogBar } from './log-bar.tsx'
import { LogEntry } from './log-entry.tsx'
import { useLogFilter } from './log-filter.ts'
import { LogGrid } from './log-grid.tsx'
import { useLog } from './log-source.ts'

/** What became of every event at every target, and of every test and plugin event. */
export function LogSection() {
  const { t } = useTranslation(['sandbox', 'common'])
  const go = useRoute((s) => s.go)
  const { filter, show } = useLogFilter()
  const log = useLog(filter)
  const [open, setOpen] = useState<number | null>(null)
  const grid = useRef<HTMLDivElement>(null)
  const filtered = Object.keys(filter).length > 0
  // An entry of another filter, or of a log that was emptied, is no longer of this list.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the change that closes
  useEffect(() => setOpen(null), [filter])
  const close = () => {
    setOpen(null)
    grid.current?.focus()
  }
  return (
    <section className={styles.log} aria-label={t('log.title')}>
      <LogBar total={log.total} pending={log.pending} />
      <div className={open === null ? styles.whole : styles.split}>
        {log.entries.length > 0 ? (
          <LogGrid ref={grid} log={log} open={open} onOpen={setOpen} />
        ) : log.loading ? (
          <div className={styles.waiting}>
            <Spinner label={t('common:loading')} />
          </div>
        ) : log.refusal ? (
          <EmptyState title={t('log.failed')}>
            <Refused refusal={log.refusal} />
          </EmptyState>
        ) : filtered ? (
          <EmptyState
            icon={<SearchX />}
            title={t('log.noMatch')}
            actions={<Button onClick={() => show({})}>{t('log.clear')}</Button>}
          >
            {t('log.noMatchText')}
          </EmptyState>
        ) : (
          <EmptyState
            icon={<ScrollText />}
            title={t('log.empty')}
            actions={
              <Button variant="primary" onClick={() => go('sandbox', 'emit')}>
                {t('log.emptyAction')}
              </Button>
            }
          >
            {t('log.emptyText')}
          </EmptyState>
        )}
        {open === null ? null : <LogEntry key={open} id={open} onClose={close} />}
      </div>
    </section>
  )
}

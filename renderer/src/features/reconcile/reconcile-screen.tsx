import { Columns2, History } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { EmptyState } from '@/shared/components/empty-state.tsx'
import { Spinner } from '@/shared/components/spinner.tsx'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { useRoute } from '@/shared/live/route.ts'
import { useSettings } from '@/shared/live/settings.ts'
import { gapOfSection } from './coverage-gaps.ts'
import { HistoryDialog } from './history-dialog.tsx'
import { NoConnection } from './no-connection.tsx'
import { RangeForm } from './range-form.tsx'
import styles from './reconcile.module.css'
import { SweepView } from './sweep-view.tsx'
import { useSweeps, watchSweeps } from './sweeps.ts'

export interface ReconcileScreenProps {
  /** `sweep-14`; null for the newest. `gap/<from>-<to>` (milliseconds) fills the form with a gap of coverage. */
  readonly section: string | null
}

/** The service's own records beside the captured stream: what was missed, and getting it back. */
export function ReconcileScreen({ section }: ReconcileScreenProps) {
  const { t } = useTranslation(['reconcile', 'common'])
  const refusalText = useRefusalText()
  const go = useRoute((s) => s.go)
  const settings = useSettings((s) => s.settings)
  const { sweeps, refusal, refresh } = useSweeps()
  const [history, setHistory] = useState(false)
  useEffect(() => watchSweeps(), [])
  const connections = settings?.connections
  const wanted = Number(/^sweep-(\d+)$/.exec(section ?? '')?.[1] ?? Number.NaN)
  const gap = gapOfSection(section)
  const sweep = sweeps?.find(({ id }) => id === wanted) ?? sweeps?.[0]
  const ready = connections !== undefined && sweeps !== null
  const connection = connections?.find(({ name }) => name === sweep?.connection)
  return (
    <div className={styles.screen}>
      <header className={styles.bar}>
        <h1>{t('title')}</h1>
        {ready && connections.length > 0 ? (
          <RangeForm
            connections={connections}
            sweeps={sweeps}
            gap={gap}
            onStarted={({ id }) => go('reconcile', `sweep-${id}`)}
          />
        ) : null}
        <span className={styles.spacer} />
        {ready && sweeps.length > 0 ? (
          <Button icon={<History />} onClick={() => setHistory(true)}>
            {t('history.open')}
          </Button>
        ) : null}
      </header>
      <div className={styles.content}>
        {refusal ? (
          <Banner
            tone="error"
            actions={
              <Button small onClick={() => void refresh()}>
                {t('common:retry')}
              </Button>
            }
          >
            {refusalText(refusal)}
          </Banner>
        ) : null}
        {!ready ? (
          refusal ? null : (
            <div className={styles.loading}>
              <Spinner label={t('common:loading')} />
            </div>
          )
        ) : sweep ? (
          <SweepView key={sweep.id} sweep={sweep} connection={connection ?? null} />
        ) : connections.length === 0 ? (
          <NoConnection />
        ) : (
          <EmptyState icon={<Columns2 />} title={t('noSweep.title')}>
            {t('noSweep.text')}
          </EmptyState>
        )}
      </div>
      {history && sweeps ? (
        <HistoryDialog sweeps={sweeps} shown={sweep?.id ?? null} onClose={() => setHistory(false)} />
      ) : null}
    </div>
  )
}

import { useTranslation } from 'react-i18next'
import type { ReconciliationSummary } from '#contract/reconcile.ts'
import { Button } from '@/shared/components/button.tsx'
import { useFoot } from '@/shared/components/notices.ts'
import { grouped } from '@/shared/formats/money.ts'
import { useFormat } from '@/shared/i18n/format.ts'
import { MISSED_CLASSES } from './class-marks.ts'
import styles from './reconcile.module.css'
import { useDay } from './row-words.ts'

export interface StakeBarProps {
  readonly summary: ReconciliationSummary
  /** IANA name: whose days are shown. */
  readonly zone: string
  /** Documents chosen. */
  readonly chosen: number
  readonly onLetGo: () => void
  readonly onIgnore: () => void
  readonly onRebuild: () => void
}

/** What the missing documents amount to, and what can be done about them. */
export function StakeBar({ summary, zone, chosen, onLetGo, onIgnore, onRebuild }: StakeBarProps) {
  const { t } = useTranslation('reconcile')
  const format = useFormat()
  const day = useDay(zone)
  const foot = useFoot<HTMLElement>()
  const { counts, atStake, firstMissing, lastMissing, ignored, recovered, notRecovered } = summary
  const clean = recovered > 0 && notRecovered === 0
  // An incomplete list cannot prove that nothing is missing.
  const whole = summary.sweep.state === 'complete'
  const missed = MISSED_CLASSES.reduce((sum, name) => sum + counts[name], 0)
  const between = () => {
    if (firstMissing === null || lastMissing === null) return null
    const [first, last] = [day(firstMissing), day(lastMissing)]
    return first === last ? t('summary.on', { first }) : t('summary.between', { first, last })
  }
  const parts = [
    clean ? null : between(),
    ignored > 0 ? t('summary.ignored', { count: ignored }) : null,
    recovered > 0 ? t('summary.recovered', { count: recovered }) : null,
    // It counts documents of both classes that lack something, beside a sum of the missing ones.
    recovered > 0
      ? t(notRecovered > 0 && counts.differs > 0 ? 'summary.notRecoveredDiffer' : 'summary.notRecovered', {
          count: notRecovered,
        })
      : null,
  ].filter((part) => part !== null)
  return (
    <footer ref={foot} className={styles.stake}>
      {chosen > 0 ? (
        <p>
          <b>{t('grid.chosen', { count: chosen })}</b>{' '}
          <Button small variant="quiet" onClick={onLetGo}>
            {t('grid.letGo')}
          </Button>
        </p>
      ) : (
        <p>
          {clean ? (
            <b className={styles.clean}>
              {t(whole ? 'summary.allRecovered' : 'summary.allRecoveredReached')}
            </b>
          ) : null}
          {clean && counts.missing > 0 ? (
            <span>{t('summary.stillMissing', { count: counts.missing })}</span>
          ) : clean ? null : (
            <b>
              {counts.missing > 0
                ? t('summary.missing', { count: counts.missing })
                : t(whole ? 'summary.nothing' : 'summary.nothingReached')}
            </b>
          )}
          {(clean ? [] : atStake).map(({ currency, amount }) => (
            <span key={currency} title={t('summary.stake')} className="text-fg code-s-medium tabular-nums">
              {currency} {grouped(amount, format.locale)}
            </span>
          ))}
          {parts.map((part) => (
            <span key={part}>{part}</span>
          ))}
        </p>
      )}
      <span className="flex-1" />
      {chosen > 0 ? <Button onClick={onIgnore}>{t('actions.ignore')}</Button> : null}
      <Button variant={clean ? 'default' : 'primary'} disabled={missed === 0} onClick={onRebuild}>
        {t(chosen > 0 ? 'actions.rebuild' : 'actions.rebuildClasses')}
      </Button>
    </footer>
  )
}

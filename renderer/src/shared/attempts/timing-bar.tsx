import { useTranslation } from 'react-i18next'
import type { Timings } from '#contract/replay.ts'
import { cx } from '@/shared/components/cx.ts'
import { useFormat } from '@/shared/i18n/format.ts'
import styles from './timing-bar.module.css'
import { phasesOf } from './timing-phases.ts'

/** Where the time of an attempt went: a bar, and the same in numbers. */
export function TimingBar({ timings, reused }: { readonly timings: Timings; readonly reused: boolean }) {
  const { t } = useTranslation('replays')
  const format = useFormat()
  const phases = phasesOf(timings)
  if (phases.length === 0) return <p className={styles.none}>{t('timings.none')}</p>
  return (
    <div className={styles.timings}>
      <div className={styles.bar} aria-hidden="true">
        {phases.map(({ phase, share }) => (
          <i key={phase} className={styles[phase]} style={{ width: `${share}%` }} />
        ))}
      </div>
      <dl className={styles.legend}>
        {phases.map(({ phase, us }) => (
          <div key={phase}>
            <dt>
              <i aria-hidden="true" className={cx(styles.dot, styles[phase])} />
              {t(`timings.${phase}`)}
            </dt>
            <dd>{format.duration(us)}</dd>
          </div>
        ))}
      </dl>
      {reused ? <p className={styles.none}>{t('timings.reused')}</p> : null}
    </div>
  )
}

import { useTranslation } from 'react-i18next'
import type { SandboxOutcome } from '#contract/sandbox.ts'
import { Button } from '@/shared/components/button.tsx'
import { useFilter } from '@/shared/deliveries/filter.ts'
import { useFormat } from '@/shared/i18n/format.ts'
import { useRoute } from '@/shared/live/route.ts'
import { useLogFilter } from './log-filter.ts'
import { OutcomeMark } from './outcome.tsx'
import styles from './run-result.module.css'
import type { FollowedRun } from './runs.ts'

const ORDER: readonly SandboxOutcome[] = [
  ...(['delivered', 'refused', 'failed', 'timed-out', 'cut', 'lost', 'not-dispatched'] as const),
]

/** The result of a run, in one line: events, outcomes, the answer when it was one, and where to look further. */
export function RunResult({ run }: { readonly run: FollowedRun }) {
  const { t } = useTranslation('sandbox')
  const format = useFormat()
  const go = useRoute((s) => s.go)
  const entries = Object.values(run.outcomes).reduce((sum, n) => sum + n, 0)
  const only = entries === 1 && run.ended ? run.last : null
  // Beside those that say it themselves: what was refused, failed or cut did not reach its target either.
  const missed = run.lost - (run.outcomes.lost ?? 0) - (run.outcomes['not-dispatched'] ?? 0)
  const shown = (count: number) => ({ count, formatted: format.number(count) })
  const toStream = () => {
    useFilter.getState().set(run.subject ?? '')
    go('stream')
  }
  const toLog = () => {
    const [only] = run.runs
    // The log is asked for one run; of several, their document or all of it is what they have in common.
    useLogFilter.getState().show(only !== undefined && run.runs.length === 1 ? { run: only } : {})
    go('sandbox', 'log')
  }
  return (
    <div className={styles.result} role="status">
      <span className={styles.events}>
        {run.events === 0 && run.ended ? t('result.noEvents') : t('result.events', shown(run.events))}
      </span>
      {ORDER.map((outcome) => {
        const count = run.outcomes[outcome] ?? 0
        if (count === 0) return null
        return (
          <OutcomeMark key={outcome} outcome={outcome} {...(only ? {} : { count: format.number(count) })} />
        )
      })}
      {missed > 0 ? <span className={styles.lost}>{t('result.lost', shown(missed))}</span> : null}
      {only?.status != null ? (
        <span className={styles.quiet}>
          {t('result.answered', {
            status: only.status,
            took: format.duration((only.durationMs ?? 0) * 1_000),
          })}
        </span>
      ) : null}
      {only?.error ? <span className={styles.problem}>{only.error}</span> : null}
      {run.pending > 0 ? (
        <span className={styles.quiet}>{t('result.waiting', shown(run.pending))}</span>
      ) : null}
      {run.ended && run.events > 0 && entries === 0 ? (
        <span className={styles.quiet}>{t('result.none')}</span>
      ) : null}
      {run.problem ? (
        <span className={run.problem === 'stopped' ? styles.quiet : styles.problem}>
          {run.problem === 'stopped' ? t('scenarios.cancelled') : run.problem}
        </span>
      ) : null}
      {entries > 0 ? (
        <span className={styles.links}>
          {run.outcomes.delivered ? (
            <Button small variant="quiet" onClick={toStream}>
              {t('result.toStream')}
            </Button>
          ) : null}
          <Button small variant="quiet" onClick={toLog}>
            {t('result.toLog')}
          </Button>
        </span>
      ) : null}
    </div>
  )
}

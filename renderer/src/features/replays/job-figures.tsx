import { useTranslation } from 'react-i18next'
import type { Job } from '#contract/replay.ts'
import { cx } from '@/shared/components/cx.ts'
import { type StateTone, StateWord } from '@/shared/components/state-word.tsx'
import { useFormat } from '@/shared/i18n/format.ts'
import { useSpanText } from './job-words.ts'
import styles from './replays.module.css'

/** How far a job is, in numbers. */
export function JobFigures({ job }: { readonly job: Job }) {
  const { t } = useTranslation('replays')
  const format = useFormat()
  const spanText = useSpanText()
  const over = job.done + job.failed
  return (
    <p
      className={cx(
        styles.figures,
        'flex flex-wrap gap-x-7 gap-y-0 overflow-hidden text-fg-2 text-s tabular-nums',
      )}
    >
      <span>{t('jobs.of', { done: format.number(over), total: format.number(job.total) })}</span>
      {job.failed > 0 ? (
        <span className={styles.failed}>{t('jobs.failedCount', { count: job.failed })}</span>
      ) : null}
      {job.uncertain > 0 ? (
        <span className="text-unreadable">{t('jobs.uncertainCount', { count: job.uncertain })}</span>
      ) : null}
      {job.state === 'running' && job.rate > 0 ? (
        <span>{t('jobs.rate', { rate: format.rate(job.rate) })}</span>
      ) : null}
      {job.state === 'running' && job.etaMs !== null ? (
        <span>{t('jobs.left', { span: spanText(job.etaMs / 1_000) })}</span>
      ) : null}
    </p>
  )
}

const TONES = {
  running: 'busy',
  done: 'good',
  paused: 'wary',
  stopped: 'wary',
  cancelled: 'off',
} as const satisfies Readonly<Record<Job['state'], StateTone>>

/** Sign and word of a job's state. */
export function JobState({ job }: { readonly job: Job }) {
  const { t } = useTranslation('replays')
  if (job.stall) return <StateWord tone="bad">{t('jobs.waits')}</StateWord>
  const tone = job.state === 'done' && job.failed > 0 ? 'wary' : TONES[job.state]
  return (
    <StateWord tone={tone}>
      {job.state === 'paused' && job.pausedBy === 'restart'
        ? t('jobs.pausedByRestart')
        : t(`jobs.state.${job.state}`)}
    </StateWord>
  )
}

import { useTranslation } from 'react-i18next'
import type { Job } from '#contract/replay.ts'
import { Figures } from '@/shared/components/figures.tsx'
import { type StateTone, StateWord } from '@/shared/components/state-word.tsx'
import { useSpanText } from './job-words.ts'

export function JobFigures({ job }: { readonly job: Job }) {
  const { t } = useTranslation('replays')
  const spanText = useSpanText()
  const over = job.done + job.failed
  const running = job.state === 'running'
  return (
    <Figures
      facts={[
        t('jobs.of', { done: over, total: job.total }),
        job.failed > 0 && (
          <span className="text-invalid">{t('jobs.failedCount', { count: job.failed })}</span>
        ),
        job.uncertain > 0 && (
          <span className="text-unreadable">{t('jobs.uncertainCount', { count: job.uncertain })}</span>
        ),
        running && job.rate > 0 && t('jobs.rate', { rate: job.rate }),
        running && job.etaMs !== null && t('jobs.left', { span: spanText(job.etaMs / 1_000) }),
      ]}
    />
  )
}

const TONES = {
  running: 'busy',
  done: 'good',
  paused: 'wary',
  stopped: 'wary',
  cancelled: 'off',
} as const satisfies Readonly<Record<Job['state'], StateTone>>

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

import { Download, Pause, Play, RotateCcw, Square, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Job } from '#contract/replay.ts'
import { ImportedTag } from '@/shared/attempts/attempt-mark.tsx'
import { useAttemptErrorText } from '@/shared/attempts/attempt-words.ts'
import { AttemptsPane } from '@/shared/attempts/attempts-pane.tsx'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { ConfirmAction } from '@/shared/components/confirm-action.tsx'
import { Figures, type StateTone, StateWord } from '@/shared/components/figures.tsx'
import { Progress } from '@/shared/components/progress.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { shownUrl } from '@/shared/formats/url.ts'
import { useTexts } from '@/shared/i18n/format.ts'
import { api } from '@/shared/live/api.ts'
import { useExporting } from '@/shared/live/layers.ts'
import { useReplays } from '@/shared/live/replays.ts'
import {
  actionsOf,
  type JobAction,
  useOptionTexts,
  useSourceText,
  useSpanText,
  useStallText,
} from './job-words.ts'

const note = (text: string | false | null) =>
  text ? <p className="text-fg-2 text-s leading-[1.45] wrap-anywhere">{text}</p> : null
const banner = (tone: 'info' | 'warning', text: string | false | null) =>
  text ? (
    <Banner tone={tone} inset>
      {text}
    </Banner>
  ) : null

const ICONS = {
  pause: <Pause />,
  resume: <Play />,
  cancel: <Square />,
  retryFailed: <RotateCcw />,
  remove: <Trash2 />,
} as const
const COMMANDS = {
  pause: 'jobs.pause',
  resume: 'jobs.resume',
  cancel: 'jobs.cancel',
  retryFailed: 'jobs.retry-failed',
} as const

export function JobDetail({ job }: { readonly job: Job }) {
  const { t, format } = useTexts(['replays', 'stream'])
  const sourceText = useSourceText()
  const optionTexts = useOptionTexts()
  const errorText = useAttemptErrorText()
  const stallText = useStallText()
  const action = useAction()
  const [asking, setAsking] = useState<'cancel' | 'remove' | null>(null)
  const { id } = job
  const act = async (what: JobAction) => {
    if (what === 'remove') {
      await api.call('jobs.remove', { id })
      useReplays.getState().dropJob(id)
    } else useReplays.getState().putJob(await api.call(COMMANDS[what], { id }))
  }
  return (
    <section
      className="flex flex-col min-w-0 min-h-0 overflow-y-auto bg-panel"
      aria-label={t('jobs.title', { id })}
    >
      <div className="grid grid-cols-1 gap-7 flex-none px-14 py-12 border-b border-line">
        <div className="flex flex-wrap items-center gap-6">
          <h2 className="min-w-0 overflow-hidden heading-l leading-[1.35] wrap-anywhere">
            {sourceText(job.source, job.total)}
          </h2>
          <span className="flex-1" />
          <Button
            small
            icon={<Download />}
            onClick={() => useExporting.getState().open({ type: 'job', job: id })}
          >
            {t('stream:chosen.export')}
          </Button>
          {actionsOf(job).map(({ what, enabled }, place) => (
            <Button
              // biome-ignore lint/suspicious/noArrayIndexKey: a fixed place keeps the focus
              key={place}
              data-writes
              small
              disabled={!enabled}
              icon={ICONS[what]}
              variant={what === 'remove' || what === 'cancel' ? 'danger' : 'default'}
              onClick={() =>
                what === 'remove' || what === 'cancel' ? setAsking(what) : void action.run(() => act(what))
              }
            >
              {t(`jobs.action.${what}`, { count: job.failed })}
            </Button>
          ))}
        </div>
        <p className="overflow-hidden text-fg-3 text-xs leading-[1.45] text-ellipsis">
          {[
            `#${id}`,
            format.moment(job.createdAt * 1_000),
            t('jobs.to', { target: shownUrl(job.options.to.target) }),
            ...optionTexts(job.options),
          ].join(' · ')}
        </p>
        <Progress label={t('jobs.progress', { id })} value={job.done + job.failed} max={job.total} />
        <div className="flex flex-wrap items-center gap-x-12 gap-y-2">
          <JobState job={job} />
          <JobFigures job={job} />
        </div>
        <Refused refusal={action.refusal} />
        {banner('info', job.state === 'paused' && job.pausedBy === 'restart' && t('jobs.restartText'))}
        {banner('warning', job.stall && stallText(job.stall))}
        {banner(
          'warning',
          job.state === 'stopped' &&
            t('jobs.stoppedText', { count: job.options.stopAfterFailures ?? job.failed }),
        )}
        {note(job.uncertain > 0 && t('jobs.uncertainText', { count: job.uncertain }))}
        {note(job.lastError && job.failed > 0 && t('jobs.lastError', { error: errorText(job.lastError) }))}
      </div>
      <div className="flex-1 min-h-160">
        <AttemptsPane of={{ job: id }} />
      </div>
      {asking ? (
        <ConfirmAction
          title={t(`jobs.ask.${asking}`, { id })}
          confirmLabel={t(`jobs.action.${asking}`)}
          {...(asking === 'cancel' && { cancelLabel: t('jobs.keep') })}
          work={() => act(asking)}
          onClose={() => setAsking(null)}
        >
          {t(`jobs.askText.${asking}`, { count: job.total - job.done - job.failed })}
        </ConfirmAction>
      ) : null}
    </section>
  )
}

export function JobFigures({ job }: { readonly job: Job }) {
  const { t } = useTexts('replays')
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
  const { t } = useTexts('replays')
  if (job.stall) return <StateWord tone="bad">{t('jobs.waits')}</StateWord>
  const tone = job.state === 'done' && job.failed > 0 ? 'wary' : TONES[job.state]
  return (
    <>
      <ImportedTag of={job} />
      <StateWord tone={tone}>
        {job.state === 'paused' && job.pausedBy === 'restart'
          ? t('jobs.pausedByRestart')
          : t(`jobs.state.${job.state}`)}
      </StateWord>
    </>
  )
}

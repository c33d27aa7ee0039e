import { type KeyboardEvent, useEffect, useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Job } from '#contract/replay.ts'
import { useAttemptErrorText } from '@/shared/attempts/attempt-words.ts'
import { cx } from '@/shared/components/cx.ts'
import { useListSteps } from '@/shared/components/list-steps.ts'
import { Progress } from '@/shared/components/progress.tsx'
import { useVirtualRows } from '@/shared/components/use-virtual-rows.ts'
import { VirtualWindow } from '@/shared/components/virtual-window.tsx'
import { shownUrl } from '@/shared/formats/url.ts'
import { useFormat } from '@/shared/i18n/format.ts'
import { JobFigures, JobState } from './job-figures.tsx'
import { useSourceText, useStallText } from './job-words.ts'
import styles from './replays.module.css'

const ROW_PX = 82

export interface JobListProps {
  readonly jobs: readonly Job[]
  readonly chosen: number | null
  readonly onChoose: (id: number) => void
}

/** Jobs, newest first: one list of choices, of which only those in view exist. */
export function JobList({ jobs, chosen, onChoose }: JobListProps) {
  const { t } = useTranslation('replays')
  const format = useFormat()
  const sourceText = useSourceText()
  const errorText = useAttemptErrorText()
  const stallText = useStallText()
  const id = useId()
  const virtual = useVirtualRows({ count: jobs.length, rowPx: ROW_PX, beyond: 4 })
  const { reveal } = virtual
  const at = jobs.findIndex((job) => job.id === chosen)
  useEffect(() => {
    if (at >= 0) reveal(at)
  }, [at, reveal])
  const take = (key: string): boolean => {
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      j: 1,
      ArrowUp: -1,
      k: -1,
      Home: -jobs.length,
      End: jobs.length,
    }
    const step = steps[key]
    if (step === undefined) return false
    const next = jobs[Math.max(0, Math.min(jobs.length - 1, at + step))]
    if (next) onChoose(next.id)
    return true
  }
  const press = (event: KeyboardEvent) => {
    if (!event.ctrlKey && !event.metaKey && !event.altKey && take(event.key)) event.preventDefault()
  }
  const steps = useListSteps(take)
  return (
    <div
      ref={virtual.scroller}
      role="listbox"
      data-steps={steps}
      data-in-screen=""
      tabIndex={0}
      aria-label={t('jobs.list')}
      aria-activedescendant={at >= virtual.first && at < virtual.past ? `${id}-${chosen}` : undefined}
      className={cx(styles.jobs, 'relative h-full overflow-auto border-r border-line outline-none')}
      onKeyDown={press}
    >
      <VirtualWindow rows={virtual}>
        {jobs.slice(virtual.first, virtual.past).map((job, i) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the list keeps the focus; jobs are its active descendants
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are the list's
          <div
            key={job.id}
            id={`${id}-${job.id}`}
            role="option"
            aria-selected={job.id === chosen}
            aria-posinset={virtual.first + i + 1}
            aria-setsize={jobs.length}
            className={cx(
              styles.job,
              'grid content-center gap-4 px-14 border-b border-line-soft cursor-default',
              job.id === chosen && styles.chosen,
            )}
            style={{ height: ROW_PX }}
            onClick={() => onChoose(job.id)}
          >
            <p className={cx(styles.jobHead, 'flex items-center gap-10 min-w-0')}>
              <b>{sourceText(job.source, job.total)}</b>
              <JobState job={job} />
            </p>
            <Progress
              label={t('jobs.progress', { id: job.id })}
              value={job.done + job.failed}
              max={job.total}
            />
            <JobFigures job={job} />
            <p className={cx(styles.small, 'overflow-hidden text-fg-3 text-xs leading-[1.45] text-ellipsis')}>
              {job.stall ? (
                <span className="text-invalid" title={stallText(job.stall)}>
                  {t('jobs.waitsFor')}
                  {' · '}
                </span>
              ) : null}
              {job.lastError && job.failed > 0 ? (
                <span className="text-invalid" title={errorText(job.lastError)}>
                  {t(`errorWords.${job.lastError.code}`, { status: job.lastError.params.status ?? '' })}
                  {' · '}
                </span>
              ) : null}
              #{job.id} · {format.moment(job.createdAt * 1_000)} · {shownUrl(job.options.to.target)}
            </p>
          </div>
        ))}
      </VirtualWindow>
    </div>
  )
}

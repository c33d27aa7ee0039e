import { useTranslation } from 'react-i18next'
import type { Job } from '#contract/replay.ts'
import { useAttemptErrorText } from '@/shared/attempts/attempt-words.ts'
import { DataGrid, useHeldRows } from '@/shared/components/data-grid.tsx'
import { Progress } from '@/shared/components/progress.tsx'
import { shownUrl } from '@/shared/formats/url.ts'
import { useFormat } from '@/shared/i18n/format.ts'
import { JobFigures, JobState } from './job-figures.tsx'
import { useSourceText, useStallText } from './job-words.ts'

export interface JobListProps {
  readonly jobs: readonly Job[]
  readonly chosen: number | null
  readonly onChoose: (id: number) => void
}

export function JobList({ jobs, chosen, onChoose }: JobListProps) {
  const { t } = useTranslation('replays')
  const format = useFormat()
  const sourceText = useSourceText()
  const errorText = useAttemptErrorText()
  const stallText = useStallText()
  const drawn = (job: Job) => (
    <>
      <p className="flex items-center gap-10 min-w-0">
        <b className="flex-1 min-w-0 truncate [font:500_var(--text-m)_/_1.3_var(--font-ui)]">
          {sourceText(job.source, job.total)}
        </b>
        <JobState job={job} />
      </p>
      <Progress label={t('jobs.progress', { id: job.id })} value={job.done + job.failed} max={job.total} />
      <div className="h-17 overflow-hidden">
        <JobFigures job={job} />
      </div>
      <p className="text-fg-3 text-xs leading-[1.45] truncate">
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
    </>
  )
  return (
    <DataGrid
      label={t('jobs.list')}
      className="border-r border-line bg-transparent! max-[860px]:border-r-0 max-[860px]:border-b"
      columns={[
        { id: 'job', track: '1fr', cell: (job) => ({ content: drawn(job), className: 'grid gap-4' }) },
      ]}
      rows={useHeldRows(jobs)}
      keyOf={({ id }) => id}
      rowPx={82}
      open={chosen}
      onOpen={onChoose}
    />
  )
}

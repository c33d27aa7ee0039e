import { RotateCcw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Job } from '#contract/replay.ts'
import { Button } from '@/shared/components/button.tsx'
import { EmptyState } from '@/shared/components/empty-state.tsx'
import { useRoute } from '@/shared/live/route.ts'
import { JobDetail } from './job-detail.tsx'
import { JobList } from './job-list.tsx'
import styles from './replays.module.css'

export interface JobsPartProps {
  readonly jobs: readonly Job[]
  /** The job that the address names; null for the newest. */
  readonly chosen: number | null
  readonly onNew: () => void
}

export function JobsPart({ jobs, chosen, onNew }: JobsPartProps) {
  const { t } = useTranslation('replays')
  const go = useRoute((s) => s.go)
  const job = jobs.find(({ id }) => id === chosen) ?? jobs[0]
  if (!job) {
    return (
      <EmptyState
        icon={<RotateCcw />}
        title={t('jobs.empty.title')}
        actions={
          <>
            <Button variant="primary" onClick={onNew}>
              {t('jobs.new')}
            </Button>
            <Button onClick={() => go('stream')}>{t('jobs.empty.stream')}</Button>
          </>
        }
      >
        {t('jobs.empty.text')}
      </EmptyState>
    )
  }
  return (
    <div className={styles.split}>
      <JobList jobs={jobs} chosen={job.id} onChoose={(id) => go('replays', `job-${id}`)} />
      <JobDetail key={job.id} job={job} />
    </div>
  )
}

import { Plus, RotateCcw } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { ForwardState, Job } from '#contract/replay.ts'
import { useAttemptErrorText } from '@/shared/attempts/attempt-words.ts'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { DataGrid, useHeldRows } from '@/shared/components/data-grid.tsx'
import { EmptyState } from '@/shared/components/empty-state.tsx'
import { Loading } from '@/shared/components/loading.tsx'
import { Progress } from '@/shared/components/progress.tsx'
import { Unread } from '@/shared/components/refused.tsx'
import { Screen } from '@/shared/components/screen.tsx'
import { list } from '@/shared/deliveries/list.ts'
import { shownUrl } from '@/shared/formats/url.ts'
import { useTexts } from '@/shared/i18n/format.ts'
import { useReplaySheet } from '@/shared/live/layers.ts'
import { useReplays } from '@/shared/live/replays.ts'
import { useRoute } from '@/shared/live/route.ts'
import { ForwardDialog } from './forward-dialog.tsx'
import { ForwardsPart, SPLIT } from './forwards-part.tsx'
import { JobDetail, JobFigures, JobState } from './job-detail.tsx'
import { useSourceText, useStallText } from './job-words.ts'

/** @param chosen job named in the address; null: the newest */
function JobsPart(props: {
  readonly jobs: readonly Job[]
  readonly chosen: number | null
  readonly onNew: () => void
}) {
  const { jobs, chosen, onNew } = props
  const { t } = useTexts('replays')
  const go = useRoute((s) => s.go)
  const job = jobs.find(({ id }) => id === chosen) ?? jobs[0]
  if (!job) {
    return (
      <EmptyState
        icon={<RotateCcw />}
        title={t('jobs.empty.title')}
        inSession={t('jobs.empty.session')}
        actions={
          <>
            <Button data-writes variant="primary" onClick={onNew}>
              {t('jobs.new')}
            </Button>
            <Button onClick={() => go('stream')}>{t('jobs.empty.stream')}</Button>
          </>
        }
      >
        <span data-writes>{t('jobs.empty.text')}</span>
      </EmptyState>
    )
  }
  return (
    <div className={cx(SPLIT, 'grid-cols-[clamp(280px,24%,380px)_minmax(0,1fr)]')}>
      <JobList jobs={jobs} chosen={job.id} />
      <JobDetail key={job.id} job={job} />
    </div>
  )
}

function JobList({ jobs, chosen }: { readonly jobs: readonly Job[]; readonly chosen: number }) {
  const { t, format } = useTexts('replays')
  const go = useRoute((s) => s.go)
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
      onOpen={(id) => go('replays', `job-${id}`)}
    />
  )
}

const PART =
  'inline-flex items-center gap-6 h-28 px-10 rounded chip-s no-underline cursor-default [&_span]:tabular-nums'
const ON =
  'bg-accent-weak text-accent-text forced-colors:outline forced-colors:outline-[Highlight] forced-colors:-outline-offset-1'
const OFF = 'text-fg-2 hover:bg-hover hover:text-fg [&_span]:text-fg-3'

/** @param section `jobs`, `job-12` or `forwards`; null: `jobs` */
export function ReplaysScreen({ section }: { readonly section: string | null }) {
  const { t, format } = useTexts(['replays', 'common'])
  const { jobs, forwards, refusal, refresh } = useReplays()
  const [editing, setEditing] = useState<{ readonly forward: ForwardState | null } | null>(null)
  useEffect(() => {
    void refresh()
  }, [refresh])
  const part = section === 'forwards' ? 'forwards' : 'jobs'
  const chosen = Number(/^job-(\d+)$/.exec(section ?? '')?.[1] ?? Number.NaN)
  const newJob = () => {
    const { filter, total } = list.state()
    useReplaySheet.getState().open({ everything: true, filter: { text: filter, total } })
  }
  const counts = { jobs: jobs?.length ?? 0, forwards: forwards?.length ?? 0 }
  return (
    <Screen
      title={t('title')}
      bar={
        <>
          <nav className="flex gap-2" aria-label={t('parts')}>
            {(['jobs', 'forwards'] as const).map((name) => (
              <a
                key={name}
                href={`#/replays/${name}`}
                aria-current={part === name ? 'page' : undefined}
                className={cx(PART, part === name ? ON : OFF)}
              >
                {t(`part.${name}`)} {counts[name] > 0 ? <span>{format.number(counts[name])}</span> : null}
              </a>
            ))}
          </nav>
          <span className="flex-1" />
          <Button
            data-writes
            icon={<Plus />}
            onClick={() => (part === 'jobs' ? newJob() : setEditing({ forward: null }))}
          >
            {t(`${part}.new`)}
          </Button>
        </>
      }
    >
      <div className="flex flex-col min-w-0 min-h-0 [&>:last-child]:flex-1 [&>:last-child]:min-h-0">
        <Unread refusal={refusal} onRetry={() => void refresh()} />
        {jobs && forwards ? (
          part === 'jobs' ? (
            <JobsPart jobs={jobs} chosen={Number.isNaN(chosen) ? null : chosen} onNew={newJob} />
          ) : (
            <ForwardsPart forwards={forwards} onEdit={(forward) => setEditing({ forward })} />
          )
        ) : refusal ? (
          <div />
        ) : (
          <Loading className="" />
        )}
      </div>
      {editing ? <ForwardDialog forward={editing.forward} onClose={() => setEditing(null)} /> : null}
    </Screen>
  )
}

import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Job } from '#contract/replay.ts'
import { AttemptMark } from '@/shared/attempts/attempt-mark.tsx'
import { Button } from '@/shared/components/button.tsx'
import { Notice, type NoticeProps, TOLD_MS } from '@/shared/components/notice.tsx'
import { Progress } from '@/shared/components/progress.tsx'
import { Spinner } from '@/shared/components/spinner.tsx'
import { openDelivery } from '@/shared/deliveries/open-delivery.ts'
import { shownUrl } from '@/shared/formats/url.ts'
import { useFormat } from '@/shared/i18n/format.ts'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { type Notice as Told, useReplaySheet } from '@/shared/live/layers.ts'
import { useReplays } from '@/shared/live/replays.ts'
import { useRoute } from '@/shared/live/route.ts'

/** A success disappears by itself; a failure stays until the user closes it. */
function goesByItself(notice: Told, job: Job | undefined): boolean {
  if (notice.what === 'answered') return notice.attempt.ok === true
  if (notice.what === 'job') return job?.state === 'done' && job.failed === 0
  return notice.what === 'nothing'
}

function toneOf(notice: Told, job: Job | undefined): NoticeProps['tone'] {
  if (notice.what === 'refused') return 'error'
  if (notice.what === 'answered') return notice.attempt.ok ? 'done' : 'error'
  if (notice.what !== 'job' || !job) return 'info'
  return job.failed > 0 ? 'error' : job.state === 'done' ? 'done' : 'info'
}

/** The result of a replay. */
export function ReplayNotice({ notice }: { readonly notice: Told }) {
  const tell = useReplaySheet((s) => s.tell)
  const job = useReplays((s) =>
    notice.what === 'job' ? s.jobs?.find(({ id }) => id === notice.job) : undefined,
  )
  return (
    <Notice
      tone={toneOf(notice, job)}
      goesAfter={goesByItself(notice, job) ? TOLD_MS : undefined}
      about={notice}
      onDismiss={() => tell(null)}
      actions={<Actions notice={notice} />}
    >
      <span className="flex flex-wrap items-center gap-10">
        <Words notice={notice} job={job} />
      </span>
    </Notice>
  )
}

function Words({ notice, job }: { readonly notice: Told; readonly job: Job | undefined }): ReactNode {
  const { t } = useTranslation('replays')
  const format = useFormat()
  const refusalText = useRefusalText()
  switch (notice.what) {
    case 'sending':
      return (
        <>
          <Spinner /> {t('notice.sending', { target: shownUrl(notice.target) })}
        </>
      )
    case 'answered':
      return (
        <>
          <AttemptMark attempt={notice.attempt} />
          <span>{notice.attempt.tookUs === null ? '' : format.duration(notice.attempt.tookUs)}</span>
          <span className="text-fg-2 truncate">{notice.attempt.target}</span>
        </>
      )
    case 'refused':
      return <span className="text-invalid wrap-anywhere">{refusalText(notice.refusal)}</span>
    case 'nothing':
      return t('notice.nothing')
    case 'job':
      return job ? (
        <>
          <span>
            {t(`notice.job.${job.state}`, {
              id: job.id,
              done: job.done + job.failed,
              total: job.total,
            })}
            {job.failed > 0 ? (
              <span className="text-invalid wrap-anywhere">
                {' '}
                · {t('jobs.failedCount', { count: job.failed })}
              </span>
            ) : null}
          </span>
          <span className="w-200">
            <Progress
              label={t('jobs.progress', { id: job.id })}
              value={job.done + job.failed}
              max={job.total}
            />
          </span>
        </>
      ) : (
        <Spinner />
      )
  }
}

function Actions({ notice }: { readonly notice: Told }) {
  const { t } = useTranslation('replays')
  const go = useRoute((s) => s.go)
  if (notice.what !== 'answered' && notice.what !== 'job') return null
  const open = () => {
    if (notice.what === 'job') go('replays', `job-${notice.job}`)
    else void openDelivery(notice.attempt.deliveryId, notice.attempt.id)
    useReplaySheet.getState().tell(null)
  }
  return (
    <Button small onClick={open}>
      {t(notice.what === 'job' ? 'notice.openJob' : 'notice.openAttempt')}
    </Button>
  )
}

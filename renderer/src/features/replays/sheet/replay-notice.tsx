import { X } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { Job } from '#contract/replay.ts'
import { AttemptMark } from '@/shared/attempts/attempt-mark.tsx'
import { Button } from '@/shared/components/button.tsx'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { CORNER, useHeld } from '@/shared/components/notices.ts'
import { Progress } from '@/shared/components/progress.tsx'
import { Spinner } from '@/shared/components/spinner.tsx'
import { openDelivery } from '@/shared/deliveries/open-delivery.ts'
import { shownUrl } from '@/shared/formats/url.ts'
import { useFormat } from '@/shared/i18n/format.ts'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { type Notice, useReplaySheet } from '@/shared/live/layers.ts'
import { useReplays } from '@/shared/live/replays.ts'
import { useRoute } from '@/shared/live/route.ts'

/** A success goes by itself; what went wrong stays until it is put away. */
const SHOWN_MS = 8_000

function goesByItself(notice: Notice, job: Job | undefined): boolean {
  if (notice.what === 'answered') return notice.attempt.ok === true
  if (notice.what === 'job') return job?.state === 'done' && job.failed === 0
  return notice.what === 'nothing'
}

/** The result of a replay, in a corner: never in the way, never taking the focus. */
export function ReplayNotice({ notice }: { readonly notice: Notice }) {
  const { t } = useTranslation(['replays', 'common'])
  const tell = useReplaySheet((s) => s.tell)
  const job = useReplays((s) =>
    notice.what === 'job' ? s.jobs?.find(({ id }) => id === notice.job) : undefined,
  )
  const { held, holding } = useHeld()
  const going = goesByItself(notice, job) && !held
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new notice is shown for as long as the first
  useEffect(() => {
    if (!going) return
    const timer = setTimeout(() => tell(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [going, notice, tell])
  return (
    <div {...holding} className={CORNER}>
      <div role="status" className="flex flex-1 items-center gap-10 min-w-0 tabular-nums">
        <Words notice={notice} job={job} />
      </div>
      <div className="flex flex-none items-center gap-4">
        <Actions notice={notice} />
        <IconButton small label={t('common:close')} icon={<X />} onClick={() => tell(null)} />
      </div>
    </div>
  )
}

function Words({ notice, job }: { readonly notice: Notice; readonly job: Job | undefined }): ReactNode {
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
        <div className="grid flex-1 gap-5 min-w-200">
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
          <Progress
            label={t('jobs.progress', { id: job.id })}
            value={job.done + job.failed}
            max={job.total}
          />
        </div>
      ) : (
        <Spinner />
      )
  }
}

function Actions({ notice }: { readonly notice: Notice }) {
  const { t } = useTranslation('replays')
  const go = useRoute((s) => s.go)
  if (notice.what === 'answered') {
    const { deliveryId, id } = notice.attempt
    return (
      <Button
        small
        onClick={() => {
          void openDelivery(deliveryId, id)
          useReplaySheet.getState().tell(null)
        }}
      >
        {t('notice.openAttempt')}
      </Button>
    )
  }
  if (notice.what === 'job')
    return (
      <Button
        small
        onClick={() => {
          go('replays', `job-${notice.job}`)
          useReplaySheet.getState().tell(null)
        }}
      >
        {t('notice.openJob')}
      </Button>
    )
  return null
}

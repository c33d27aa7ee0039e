import { type ReactNode, useState } from 'react'
import type { Job, ReplaySource } from '#contract/replay.ts'
import { AttemptMark } from '@/shared/attempts/attempt-mark.tsx'
import { CompareView, type Comparison } from '@/shared/attempts/compare-view.tsx'
import { Button } from '@/shared/components/button.tsx'
import { Dialog } from '@/shared/components/dialog.tsx'
import { FormDialog } from '@/shared/components/form-dialog.tsx'
import { Notice, type NoticeProps, TOLD_MS } from '@/shared/components/notice.tsx'
import { Progress } from '@/shared/components/progress.tsx'
import { SegmentedControl } from '@/shared/components/segmented-control.tsx'
import { Spinner } from '@/shared/components/spinner.tsx'
import { openDelivery } from '@/shared/deliveries/open-delivery.ts'
import { shownUrl } from '@/shared/formats/url.ts'
import { useTexts } from '@/shared/i18n/format.ts'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { type SheetSource, type Notice as Told, useReplaySheet } from '@/shared/live/layers.ts'
import { useReplays } from '@/shared/live/replays.ts'
import { useRoute } from '@/shared/live/route.ts'
import { onAct } from '@/shared/live/undo.ts'
import { useSendOne } from './send-one.tsx'
import { useStartJob } from './start-job.tsx'
import { useTargetPicker } from './target-picker.tsx'

type What = 'one' | 'ids' | 'filter' | 'document'

/** Sources for the sheet, from the state when it opened; the first is the default. */
function offered({ ids, delivery, filter, documentId, everything }: SheetSource): readonly What[] {
  const has = {
    ids: ids.length > 1,
    one: delivery !== null,
    filter: filter !== null,
    document: documentId !== null,
  }
  const order = everything
    ? (['filter', 'ids', 'one', 'document'] as const)
    : (['ids', 'one', 'filter', 'document'] as const)
  return order.filter((what) => has[what])
}

function jobSource(source: SheetSource, what: What): ReplaySource | null {
  if (what === 'ids') return { type: 'ids', ids: source.ids }
  if (what === 'filter' && source.filter) return { type: 'filter', filter: source.filter.text }
  if (what === 'document' && source.documentId !== null)
    return { type: 'document', documentId: source.documentId }
  return null
}

function ReplaySheet({ source }: { readonly source: SheetSource }) {
  const { t } = useTexts(['replays', 'common'])
  const { close } = useReplaySheet.getState()
  const whats = offered(source)
  const [what, setWhat] = useState<What>(whats[0] ?? 'filter')
  const [compared, setCompared] = useState<Comparison | null>(null)
  const target = useTargetPicker()
  const one = useSendOne(source, target, setCompared)
  const many = useStartJob(jobSource(source, what), target)
  const { ready, label, part, done, dialog } = what === 'one' ? one : many
  const { onSubmit } = dialog
  const back = () => setCompared(null)
  const labelOf = (name: What): string => {
    if (name === 'ids') return t('sheet.what.ids', { count: source.ids.length })
    if (name === 'one') return t('sheet.what.one', { id: source.delivery ?? 0 })
    if (name === 'filter')
      return t(source.filter?.text === '' ? 'sheet.what.all' : 'sheet.what.filter', {
        count: source.filter?.total ?? 0,
      })
    return t('sheet.what.document')
  }
  if (compared)
    return (
      <Dialog
        onClose={close}
        onEscape={back}
        width={820}
        title={t('sheet.title')}
        footer={<Button onClick={back}>{t('compare.back')}</Button>}
      >
        <div className="h-[min(60vh,560px)] -mx-14">
          <CompareView comparison={compared} onBack={back} />
        </div>
      </Dialog>
    )
  return (
    <FormDialog
      {...dialog}
      onClose={close}
      width={820}
      title={t('sheet.title')}
      action={label}
      cancel={t(done ? 'common:close' : 'common:cancel')}
      disabled={!ready}
      onSubmit={() => {
        if (ready) void onSubmit()
      }}
    >
      <div className="grid grid-cols-1 justify-items-start gap-12 [&>*]:max-w-full">
        {target.picker}
        {whats.length > 1 ? (
          <SegmentedControl<What>
            label={t('sheet.whatLabel')}
            value={what}
            onChange={setWhat}
            segments={whats.map((value) => ({ value, label: labelOf(value) }))}
          />
        ) : (
          <p className="text-m font-medium">{labelOf(what)}</p>
        )}
        {part}
      </div>
    </FormDialog>
  )
}

onAct(() => {
  const { notice, tell } = useReplaySheet.getState()
  const job = notice?.what === 'job' && useReplays.getState().jobs?.find(({ id }) => id === notice.job)
  if (notice && notice.what !== 'sending' && !(job && job.state === 'running')) tell(null)
})

/** The sheet and its result notice, above every screen. */
export function ReplayLayer() {
  const { source, notice } = useReplaySheet()
  const screen = useRoute((s) => s.screen)
  // The jobs screen already shows the result.
  const said = notice?.what === 'job' && screen === 'replays'
  return (
    <>
      {source ? <ReplaySheet source={source} /> : null}
      {notice && !source && !said ? <ReplayNotice notice={notice} /> : null}
    </>
  )
}

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
function ReplayNotice({ notice }: { readonly notice: Told }) {
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
  const { t, format } = useTexts('replays')
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
  const { t } = useTexts('replays')
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

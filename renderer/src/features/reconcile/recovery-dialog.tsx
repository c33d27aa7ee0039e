import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Recovery } from '#contract/reconcile.ts'
import type { DocumentSelection } from '#contract/reconcile-commands.ts'
import { rebuiltIds } from '#core/reconcile/rebuild.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { Dialog } from '@/shared/components/dialog.tsx'
import { Loading } from '@/shared/components/loading.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { Table } from '@/shared/components/table.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { useAnswer } from '@/shared/live/answer.ts'
import { api } from '@/shared/live/api.ts'
import { useReplaySheet } from '@/shared/live/layers.ts'

export interface RecoveryDialogProps {
  readonly sweep: number
  readonly select: DocumentSelection
  /** Called after a rebuild: the comparison must run again. */
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Previews the rebuild, runs it, and opens the replay sheet with the result. */
export function RecoveryDialog({ sweep, select, onDone, onClose }: RecoveryDialogProps) {
  const { t } = useTranslation(['reconcile', 'common'])
  const action = useAction()
  const [done, setDone] = useState<Recovery | null>(null)
  // Every render of the screen creates a new selection; keep the first one.
  const [asked] = useState(select)
  const { data: preview, refusal } = useAnswer('rebuild', () =>
    api.call('recovery.rebuild', { sweep, select: asked, dryRun: true }),
  )
  const rebuild = () =>
    void action.run(async () => {
      setDone(await api.call('recovery.rebuild', { sweep, select: asked }))
      onDone()
    })
  const replay = (ids: NonNullable<Recovery['ids']>) =>
    void action.run(async () => {
      const found = await rebuiltIds((params) => api.call('recovery.deliveries', params), sweep, ids)
      onClose()
      useReplaySheet.getState().open(found.length > 1 ? { ids: found } : { delivery: found[0] ?? null })
    })
  const shown = done ?? preview
  // Every requested document is either rebuilt or skipped.
  const all = shown?.left.reduce((sum, one) => sum + one.documents, shown.documents) ?? 0
  const ids = done?.ids ?? null
  const main = { variant: 'primary', busy: action.busy } as const
  return (
    <Dialog
      onClose={onClose}
      width={620}
      reading
      title={t('recovery.title')}
      description={t('recovery.text')}
      footer={
        <>
          <Button onClick={onClose}>{t(done ? 'common:close' : 'common:cancel')}</Button>
          {!done ? (
            <Button {...main} disabled={!preview || preview.events === 0} onClick={rebuild}>
              {t('recovery.rebuild', { count: preview?.events ?? 0 })}
            </Button>
          ) : ids === null ? null : (
            <Button {...main} onClick={() => replay(ids)}>
              {t('recovery.replay')}
            </Button>
          )}
        </>
      }
    >
      <div className="grid gap-14">
        <Refused refusal={refusal ?? action.refusal} />
        {shown ? (
          <>
            {done ? (
              <Banner tone="info" inset title={t('recovery.done', { count: done.events })}>
                {ids === null ? null : t('recovery.next')}
              </Banner>
            ) : (
              <p className="text-m [&_b]:font-semibold">
                {shown.events === 0 ? (
                  t('recovery.nothing')
                ) : (
                  <>
                    <b>{t('recovery.would', { count: shown.events })}</b>{' '}
                    {t('recovery.of', { count: shown.documents, all })}
                  </>
                )}
              </p>
            )}
            <LeftOut recovery={shown} />
            <Absent recovery={shown} />
          </>
        ) : refusal ? null : (
          <Loading />
        )}
      </div>
    </Dialog>
  )
}

function LeftOut({ recovery }: { readonly recovery: Recovery }) {
  const { t } = useTranslation('reconcile')
  if (recovery.left.length === 0) return null
  return (
    <section>
      <h3 className="mb-4 heading-s">{t('recovery.left')}</h3>
      <ul className="grid gap-4 text-fg-2 text-s leading-[1.5]">
        {recovery.left.map(({ reason, documents }) => (
          <li key={reason}>
            {t('recovery.documents', { count: documents, reason: t(`recovery.reason.${reason}`) })}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Absent({ recovery }: { readonly recovery: Recovery }) {
  const { t } = useTranslation('reconcile')
  if (recovery.absent.length === 0) return null
  return (
    <section>
      <h3 className="mb-4 heading-s">{t('recovery.absent')}</h3>
      <p className="text-fg-2 text-s leading-[1.45]">{t('recovery.absentText')}</p>
      <Table
        className="mt-6"
        rows={recovery.absent}
        keyOf={({ kind, field }) => `${kind} ${field}`}
        columns={[
          { id: 'kind', title: t('recovery.kind'), cell: ({ kind }) => kind },
          {
            id: 'field',
            title: t('recovery.field'),
            cell: ({ field }) => ({ content: <code>{field}</code> }),
          },
          {
            id: 'events',
            title: t('recovery.events'),
            end: true,
            cell: ({ events }) => String(events),
          },
        ]}
      />
    </section>
  )
}

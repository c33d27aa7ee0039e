import { Eye, GitCompareArrows, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Sweep } from '#contract/reconcile.ts'
import { Button } from '@/shared/components/button.tsx'
import { ConfirmAction } from '@/shared/components/confirm-action.tsx'
import { Dialog } from '@/shared/components/dialog.tsx'
import { Figures } from '@/shared/components/figures.tsx'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { StateWord } from '@/shared/components/state-word.tsx'
import { Tag } from '@/shared/components/tag.tsx'
import { useFormat } from '@/shared/i18n/format.ts'
import { api } from '@/shared/live/api.ts'
import { useRoute } from '@/shared/live/route.ts'
import { CompareDialog, comparableWith } from './compare-dialog.tsx'
import { CLASS_INK, CLASS_SIGNS, SHOWN_CLASSES } from './row-words.ts'
import { rangeText, SWEEP_TONES } from './sweep-state.tsx'
import { useSweeps } from './sweeps.ts'

export interface HistoryDialogProps {
  readonly sweeps: readonly Sweep[]
  readonly shown: number | null
  readonly onClose: () => void
}

export function HistoryDialog({ sweeps, shown, onClose }: HistoryDialogProps) {
  const { t } = useTranslation(['reconcile', 'common'])
  const format = useFormat()
  const go = useRoute((s) => s.go)
  const [comparing, setComparing] = useState<number | null>(null)
  const [removing, setRemoving] = useState<number | null>(null)
  // A new comparison changes the counts of a sweep, and no push reports that.
  useEffect(() => void useSweeps.getState().refresh(), [])
  const remove = async (id: number) => {
    await api.call('sweeps.remove', { id })
    useSweeps.getState().receive([], [id])
  }
  if (comparing !== null)
    return <CompareDialog sweeps={sweeps} first={comparing} onClose={() => setComparing(null)} />
  return (
    <Dialog
      onClose={onClose}
      width={720}
      title={t('history.title')}
      description={t('history.text')}
      footer={<Button onClick={onClose}>{t('common:close')}</Button>}
    >
      {sweeps.length === 0 ? <p>{t('history.none')}</p> : null}
      <ul className="grid">
        {sweeps.map((sweep) => {
          const { id, state, problems, counts } = sweep
          return (
            <li key={id} className="flex items-start justify-between gap-12 py-8 border-t border-line-soft">
              <div>
                <p className="flex items-center gap-10 [&_b]:font-medium">
                  <b>{t('sweep.name', { id })}</b>
                  <StateWord tone={SWEEP_TONES[state]}>{t(`sweep.state.${state}`)}</StateWord>
                  {id === shown ? <Tag tone="accent">{t('history.shown')}</Tag> : null}
                </p>
                <Figures
                  facts={[
                    sweep.connection,
                    t(`form.routes.${sweep.range.route}`),
                    <code key="range">{rangeText(sweep, t('history.whole'))}</code>,
                  ]}
                />
                <Figures
                  facts={[
                    format.moment(sweep.startedAt * 1_000),
                    t('sweep.pages', { count: sweep.pages }),
                    t('sweep.documents', { count: sweep.documents }),
                    sweep.endedAt !== null && format.duration((sweep.endedAt - sweep.startedAt) * 1_000),
                  ]}
                />
                <p className="flex flex-wrap gap-x-12 text-s tabular-nums [&_i]:not-italic">
                  {counts ? (
                    SHOWN_CLASSES.map((name) =>
                      counts[name] === 0 ? null : (
                        <span key={name} className={CLASS_INK[name] ?? 'text-fg-2'}>
                          <i aria-hidden="true">{CLASS_SIGNS[name]}</i> {format.number(counts[name])}{' '}
                          {t(`class.${name}`)}
                        </span>
                      ),
                    )
                  ) : (
                    <span className="text-fg-3">{t('history.notCompared')}</span>
                  )}
                </p>
                {problems.map(({ code }) => (
                  <p key={code} className="text-fg-2 text-s leading-[1.45]">
                    {t(`problem.${code}`)}
                  </p>
                ))}
              </div>
              <span className="flex gap-2">
                <IconButton
                  label={t('history.show', { id })}
                  icon={<Eye />}
                  onClick={() => {
                    go('reconcile', `sweep-${id}`)
                    onClose()
                  }}
                />
                {state !== 'running' && comparableWith(sweeps, sweep).length > 0 ? (
                  <IconButton
                    label={t('compare.open', { id })}
                    icon={<GitCompareArrows />}
                    onClick={() => setComparing(id)}
                  />
                ) : null}
                <IconButton
                  data-writes
                  label={t('history.remove', { id })}
                  icon={<Trash2 />}
                  onClick={() => setRemoving(id)}
                />
              </span>
            </li>
          )
        })}
      </ul>
      {removing === null ? null : (
        <ConfirmAction
          title={t('history.removeTitle', { id: removing })}
          confirmLabel={t('history.removeConfirm')}
          work={() => remove(removing)}
          onClose={() => setRemoving(null)}
        >
          {t('history.removeText')}
        </ConfirmAction>
      )}
    </Dialog>
  )
}

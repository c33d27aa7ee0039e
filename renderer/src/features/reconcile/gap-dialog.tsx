import { useTranslation } from 'react-i18next'
import { spanText } from '#core/time/duration.ts'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { Dialog } from '@/shared/components/dialog.tsx'
import { Loading } from '@/shared/components/loading.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { useAnswer } from '@/shared/live/answer.ts'
import { api } from '@/shared/live/api.ts'
import { type Gap, knownGaps } from './coverage-gaps.ts'

const RECENT_MS = 31 * 86_400_000
const SHOWN = 100

export interface GapDialogProps {
  readonly onChoose: (gap: Gap) => void
  readonly onClose: () => void
}

/** Recent gaps in coverage; selecting one sets the range. */
export function GapDialog({ onChoose, onClose }: GapDialogProps) {
  const { t } = useTranslation(['reconcile', 'common'])
  const { data: gaps, refusal } = useAnswer('gaps', async () => {
    const asked = { from: Date.now() - RECENT_MS, to: Date.now() }
    return knownGaps((await api.call('coverage.list', asked)).spans, asked)
  })
  const when = ({ from, to, openStart, openEnd }: ReturnType<typeof knownGaps>[number]) =>
    t(openEnd ? 'gap.until' : openStart ? 'gap.before' : 'gap.between', {
      from: from * 1_000,
      to: to * 1_000,
    })
  return (
    <Dialog
      onClose={onClose}
      width={560}
      title={t('gap.title')}
      description={t('gap.text')}
      footer={<Button onClick={onClose}>{t('common:cancel')}</Button>}
    >
      <Refused refusal={refusal} />
      {gaps === null && refusal === null ? <Loading className="min-h-90" /> : null}
      {gaps?.length === 0 ? <p className="text-fg-2 text-s leading-[1.45]">{t('gap.none')}</p> : null}
      <ul className="grid [&_b]:text-fg [&_b]:font-medium">
        {gaps?.slice(0, SHOWN).map((gap) => (
          <li key={gap.from}>
            <button
              type="button"
              className={cx(
                'grid grid-cols-[120px_minmax(0,1fr)_auto] gap-x-12 gap-y-4 w-full px-8 py-7 border-0 border-t',
                'border-line-soft bg-transparent text-fg-2 text-s text-start cursor-default',
                'hover:bg-hover focus-visible:rounded-6 focus-visible:-outline-offset-2',
                '[li:first-child>&]:border-t-0',
              )}
              onClick={() => onChoose({ from: gap.from, to: gap.to })}
            >
              <b>{t(`gap.state.${gap.state}`)}</b>
              <span>{when(gap)}</span>
              <span className="text-fg tabular-nums">{spanText((gap.to - gap.from) / 1_000)}</span>
            </button>
          </li>
        ))}
      </ul>
      {gaps && gaps.length > SHOWN ? (
        <p className="text-fg-2 text-s leading-[1.45]">{t('gap.more', { count: gaps.length - SHOWN })}</p>
      ) : null}
    </Dialog>
  )
}

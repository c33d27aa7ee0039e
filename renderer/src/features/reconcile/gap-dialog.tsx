import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Refusal } from '#contract/errors.ts'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { Dialog } from '@/shared/components/dialog.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { Spinner } from '@/shared/components/spinner.tsx'
import { useFormat } from '@/shared/i18n/format.ts'
import { api } from '@/shared/live/api.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'
import { type Gap, gapsOf, type KnownGap, lengthText } from './coverage-gaps.ts'
import styles from './two-sweeps.module.css'

/** How far back gaps are looked for. */
const RECENT_MS = 31 * 86_400_000
const SHOWN = 100

export interface GapDialogProps {
  readonly onChoose: (gap: Gap) => void
  readonly onClose: () => void
}

/** When the receiver was not listening lately; choosing one sets the range. */
export function GapDialog({ onChoose, onClose }: GapDialogProps) {
  const { t } = useTranslation(['reconcile', 'common'])
  const format = useFormat()
  const [gaps, setGaps] = useState<readonly KnownGap[] | null>(null)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  useEffect(() => {
    let current = true
    const asked = { from: Date.now() - RECENT_MS, to: Date.now() }
    api
      .call('coverage.list', asked)
      .then(({ spans }) => current && setGaps(gapsOf(spans, asked)))
      .catch((error: unknown) => current && setRefusal(refusalOf(error)))
    return () => {
      current = false
    }
  }, [])
  const when = ({ from, to, openStart, openEnd }: KnownGap) =>
    t(openEnd ? 'gap.until' : openStart ? 'gap.before' : 'gap.between', {
      from: format.moment(from * 1_000),
      to: format.moment(to * 1_000),
    })
  return (
    <Dialog
      open
      onClose={onClose}
      width={560}
      title={t('gap.title')}
      description={t('gap.text')}
      footer={<Button onClick={onClose}>{t('common:cancel')}</Button>}
    >
      <Refused refusal={refusal} />
      {gaps === null && refusal === null ? (
        <div className="grid place-items-center min-h-90 text-fg-3">
          <Spinner label={t('common:loading')} />
        </div>
      ) : null}
      {gaps?.length === 0 ? <p className="text-fg-2 text-s leading-[1.45]">{t('gap.none')}</p> : null}
      <ul className={cx(styles.gaps, 'grid [&_b]:text-fg [&_b]:font-medium')}>
        {gaps?.slice(0, SHOWN).map((gap) => (
          <li key={gap.from}>
            <button type="button" onClick={() => onChoose({ from: gap.from, to: gap.to })}>
              <b>{t(`gap.state.${gap.state}`)}</b>
              <span>{when(gap)}</span>
              <span className="text-fg tabular-nums">{lengthText(gap.to - gap.from, format.locale)}</span>
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

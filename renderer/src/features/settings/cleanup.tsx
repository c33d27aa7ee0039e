import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RetentionOutcome, RetentionParams } from '#contract/delivery.ts'
import { Button } from '@/shared/components/button.tsx'
import { ConfirmAction } from '@/shared/components/confirm-action.tsx'
import { cx } from '@/shared/components/cx.ts'
import { NumberField } from '@/shared/components/number-field.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { SegmentedControl } from '@/shared/components/segmented-control.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { useFormat } from '@/shared/i18n/format.ts'
import { api } from '@/shared/live/api.ts'
import styles from './settings.module.css'

type By = 'count' | 'age' | 'bytes'
const DAY_MS = 86_400_000
const MB = 1_000_000
const PAUSE_MS = 250
const START: Readonly<Record<By, number>> = { count: 100_000, age: 30, bytes: 1_000 }
const UNITS = {
  count: 'retention.unitCount',
  age: 'retention.unitAge',
  bytes: 'retention.unitBytes',
} as const

function paramsFor(by: By, value: number | null): RetentionParams | null {
  if (value === null || (by === 'bytes' && value <= 0)) return null
  if (by === 'count') return { keepNewest: value }
  if (by === 'age') return { before: Math.max(0, Date.now() - value * DAY_MS) }
  return { freeBytes: Math.max(1, Math.round(value * MB)) }
}

/** What could go, with its numbers before anything goes. */
export function Cleanup({ stored }: { readonly stored: number }) {
  const { t } = useTranslation('settings')
  const format = useFormat()
  const [by, setBy] = useState<By>('age')
  const [values, setValues] = useState<Readonly<Record<By, number | null>>>(START)
  const [preview, setPreview] = useState<{ params: RetentionParams; outcome: RetentionOutcome } | null>(null)
  const [asking, setAsking] = useState(false)
  const [gone, setGone] = useState<RetentionOutcome | null>(null)
  const looking = useAction()
  const deleting = useAction()
  const value = values[by]

  // Asked again when the store has changed, so that the numbers are those of now.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `stored` stands for the store, the action only reports
  useEffect(() => {
    let current = true
    const params = paramsFor(by, value)
    if (params === null) {
      setPreview(null)
      return
    }
    const timer = setTimeout(() => {
      void looking.run(async () => {
        const outcome = await api.call('retention.preview', params)
        if (current) setPreview({ params, outcome })
      })
    }, PAUSE_MS)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [by, value, stored])

  const span = ({ oldest, newest }: RetentionOutcome) => {
    if (oldest === null || newest === null) return ''
    const [from, to] = [format.moment(oldest), format.moment(newest)]
    return from === to ? t('retention.spanAt', { from }) : t('retention.span', { from, to })
  }
  const apply = async () => {
    if (!preview) return
    const done = await deleting.run(async () => setGone(await api.call('retention.apply', preview.params)))
    if (done) setAsking(false)
  }
  const outcome = preview?.outcome
  const some = outcome !== undefined && outcome.deliveries > 0
  return (
    <div
      className={cx(
        styles.cleanup,
        'grid justify-items-start gap-10 pt-12 border-t border-line [&_h3]:heading-m',
      )}
    >
      <h3>{t('retention.cleanup')}</h3>
      <SegmentedControl<By>
        label={t('retention.by')}
        value={by}
        onChange={(next) => {
          setBy(next)
          setGone(null)
        }}
        segments={[
          { value: 'age', label: t('retention.age') },
          { value: 'count', label: t('retention.count') },
          { value: 'bytes', label: t('retention.bytes') },
        ]}
      />
      <div className={cx(styles.inline, 'flex flex-wrap gap-8')}>
        <NumberField
          key={by}
          label={t(`retention.value.${by}`)}
          unit={t(UNITS[by])}
          value={value}
          onChange={(next) => {
            setValues({ ...values, [by]: next })
            setGone(null)
          }}
          error={value === null ? t('retention.valueError') : null}
        />
      </div>
      <Refused refusal={looking.refusal} />
      <p className={cx(styles.outcome, 'min-h-18 text-fg text-s tabular-nums')} role="status">
        {gone
          ? t('retention.gone', { count: gone.deliveries, bytes: format.bytes(gone.bytes) })
          : outcome
            ? some
              ? `${t('retention.would', { count: outcome.deliveries, bytes: format.bytes(outcome.bytes) })} ${span(outcome)}`
              : t('retention.nothing')
            : ''}
        {outcome && outcome.pinnedExempt > 0 && !gone ? (
          <span> {t('retention.pinned', { count: outcome.pinnedExempt })}</span>
        ) : null}
      </p>
      <div>
        <Button variant="danger" disabled={!some || gone !== null} onClick={() => setAsking(true)}>
          {some && !gone ? t('retention.delete', { count: outcome.deliveries }) : t('retention.deleteNone')}
        </Button>
      </div>
      {asking && outcome ? (
        <ConfirmAction
          action={deleting}
          title={t('retention.confirmTitle', { count: outcome.deliveries })}
          confirmLabel={t('retention.confirm')}
          onConfirm={() => void apply()}
          onCancel={() => setAsking(false)}
        >
          <p>
            {t('retention.confirmText', { count: outcome.deliveries, bytes: format.bytes(outcome.bytes) })}{' '}
            {span(outcome)}{' '}
            {outcome.pinnedExempt > 0 ? t('retention.pinned', { count: outcome.pinnedExempt }) : null}
          </p>
          {outcome.trash.deliveries > 0 ? (
            <p>
              {t('retention.confirmTrash', {
                count: outcome.trash.deliveries,
                bytes: format.bytes(outcome.trash.bytes),
              })}
            </p>
          ) : null}
          <p>{t('retention.confirmFinal')}</p>
        </ConfirmAction>
      ) : null}
    </div>
  )
}

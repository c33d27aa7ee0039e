import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TrashBatch } from '#contract/delivery.ts'
import { Button } from '@/shared/components/button.tsx'
import { ConfirmAction } from '@/shared/components/confirm-action.tsx'
import { cx } from '@/shared/components/cx.ts'
import { Refused } from '@/shared/components/refused.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { type Format, useFormat } from '@/shared/i18n/format.ts'
import { api } from '@/shared/live/api.ts'
import styles from './settings.module.css'

/** Times as they are said of what was done today or yesterday. */
const when = (format: Format, ms: number): string => format.moment(ms * 1_000)

/** What was deleted and can be restored, batch by batch. @param trashed and @param bytes as the status says: they tell of a change */
export function TrashPart({ trashed, bytes }: { readonly trashed: number; readonly bytes: number }) {
  const { t } = useTranslation('trash')
  const format = useFormat()
  const [batches, setBatches] = useState<readonly TrashBatch[]>([])
  const [asking, setAsking] = useState(false)
  const [restored, setRestored] = useState<number | null>(null)
  const looking = useAction()
  const restoring = useAction()
  const emptying = useAction()
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again when something went in or out
  useEffect(() => {
    void looking.run(async () => setBatches((await api.call('trash.list', {})).batches))
  }, [trashed])
  const restore = (batch: number) =>
    restoring.run(async () => setRestored((await api.call('deliveries.restore', { batch })).deliveries))
  const empty = async () => {
    setRestored(null)
    if (await emptying.run(() => api.call('trash.empty', {}))) setAsking(false)
  }
  const sum = { count: trashed, formatted: format.number(trashed), bytes: format.bytes(bytes) }
  return (
    <div
      className={cx(
        styles.cleanup,
        'grid justify-items-start gap-10 pt-12 border-t border-line [&_h3]:heading-m',
      )}
    >
      <h3>{t('heading')}</h3>
      <p className={styles.text}>{t('text')}</p>
      <p className={cx(styles.outcome, 'min-h-18 text-fg text-s tabular-nums')} role="status">
        {restored === null
          ? null
          : `${t('restored', { count: restored, formatted: format.number(restored) })} `}
        {trashed === 0 ? t('empty') : t('holds', sum)}
      </p>
      {trashed === 0 ? null : (
        <>
          <ul className={styles.list}>
            {batches.map((batch) => (
              <Batch
                key={batch.batch}
                batch={batch}
                busy={restoring.busy}
                onRestore={() => void restore(batch.batch)}
              />
            ))}
          </ul>
          <div>
            <Button variant="danger" onClick={() => setAsking(true)}>
              {t('emptyNow')}
            </Button>
          </div>
        </>
      )}
      <Refused refusal={looking.refusal ?? restoring.refusal} />
      {asking ? (
        <ConfirmAction
          action={emptying}
          title={t('emptyTitle')}
          confirmLabel={t('emptyConfirm')}
          onConfirm={() => void empty()}
          onCancel={() => setAsking(false)}
        >
          <p>{t('emptyText', sum)}</p>
          <p>{t('emptyFinal')}</p>
        </ConfirmAction>
      ) : null}
    </div>
  )
}

interface BatchProps {
  readonly batch: TrashBatch
  readonly busy: boolean
  readonly onRestore: () => void
}

function Batch({ batch, busy, onRestore }: BatchProps) {
  const { t } = useTranslation('trash')
  const format = useFormat()
  const { deliveries, bytes, filter } = batch
  const at = when(format, batch.at)
  const why = filter === null ? t('chosen') : filter.trim() === '' ? t('byNone') : t('byFilter', { filter })
  return (
    <li
      className={cx(
        styles.trashed,
        'flex items-center justify-between gap-12 py-7 border-t border-line-soft text-s wrap-anywhere [&_p]:m-0 [&_b]:font-medium',
      )}
    >
      <div>
        <p>
          <b>
            {t('batch', {
              count: deliveries,
              formatted: format.number(deliveries),
              bytes: format.bytes(bytes),
            })}
          </b>
          {', '}
          {why}
        </p>
        <p className={styles.note}>{t('when', { at, end: when(format, batch.emptiedAt) })}</p>
      </div>
      <Button small busy={busy} aria-label={t('restoreOf', { at })} onClick={onRestore}>
        {t('restore')}
      </Button>
    </li>
  )
}

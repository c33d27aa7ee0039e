import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Params } from '#contract/commands.ts'
import type { RetentionOutcome, RetentionParams, TrashBatch } from '#contract/delivery.ts'
import { Button } from '@/shared/components/button.tsx'
import { ConfirmAction } from '@/shared/components/confirm-action.tsx'
import { cx } from '@/shared/components/cx.ts'
import { Figures } from '@/shared/components/figures.tsx'
import { Progress } from '@/shared/components/progress.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { SegmentedControl } from '@/shared/components/segmented-control.tsx'
import { NumberField } from '@/shared/components/text-field.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { useForm } from '@/shared/forms/use-form.tsx'
import { useFormat } from '@/shared/i18n/format.ts'
import { useAnswer } from '@/shared/live/answer.ts'
import { api } from '@/shared/live/api.ts'
import { changeSettings } from '@/shared/live/settings.ts'
import { budgetForm } from './forms.ts'
import { type HostParts, InlineForm, NOTE, Outcome, Part, Section, TEXT } from './section.tsx'

export function RetentionSection({ settings, status }: HostParts) {
  const { t } = useTranslation('settings')
  const { disk, counts } = status
  const budget = settings.retention.budgetBytes
  const over = disk.usedBytes >= budget
  return (
    <Section name="retention" title={t('retention.title')} text={t('retention.text')}>
      <div className="grid gap-6">
        <p className={cx('tabular-nums font-medium', over && 'text-warning')}>
          {t('retention.used', { used: disk.usedBytes, budget: budget })}
        </p>
        <Progress label={t('retention.usedLabel')} value={disk.usedBytes} max={budget} />
        <Figures
          facts={[
            t('retention.stored', { count: counts.stored }),
            counts.trashed > 0 && t('retention.inTrash', { bytes: disk.trashBytes }),
            t('retention.log', { bytes: disk.logBytes }),
            disk.freeBytes !== null && t('retention.free', { free: disk.freeBytes }),
          ]}
        />
      </div>
      <Budget {...{ settings, status }} />
      <Cleanup stored={counts.stored} />
      <TrashPart trashed={counts.trashed} bytes={disk.trashBytes} />
      {(['rejected', 'malformed'] as const).map((ring) => (
        <p key={ring} className={NOTE}>
          {t(`retention.${ring}`, {
            count: counts[ring],
            bytes: disk[`${ring}Bytes`],
            most: settings.retention[`${ring}Deliveries`],
            mostBytes: settings.retention[`${ring}Bytes`],
          })}{' '}
          {t('retention.evicted', { count: counts[`${ring}Evicted`] })}
        </p>
      ))}
      {counts.budgetDeleted === 0 ? null : (
        <p className={NOTE}>{t('retention.budgetDeleted', { count: counts.budgetDeleted })}</p>
      )}
    </Section>
  )
}

/** The disk budget and what happens beyond it. Previews what a change deletes. */
function Budget({ settings: { retention }, status: { disk } }: HostParts) {
  const { t } = useTranslation('settings')
  const { usedBytes } = disk
  const [asked, setAsked] = useState<{
    readonly change: Params<'settings.update'>
    readonly going: RetentionOutcome
  } | null>(null)
  const form = useForm({
    form: () => budgetForm(retention),
    texts: ['settings', 'retention'],
    look: () => ({ 'retention.budgetBytes': { unit: 'GB', decimals: 3 } }),
    send: async (change) => {
      const { budgetBytes, overBudget } = { ...retention, ...change.retention }
      if (overBudget !== 'delete-oldest' || usedBytes <= budgetBytes)
        return changeSettings('settings.update', change)
      const going = await api.call('retention.preview', { freeBytes: usedBytes - budgetBytes })
      setAsked({ change, going })
    },
    follow: true,
  })
  return (
    <InlineForm form={form}>
      {form.fields(['retention.budgetBytes', 'retention.overBudget'])}
      {asked ? (
        <ConfirmAction
          title={t('retention.policyTitle')}
          confirmLabel={t('retention.policyConfirm')}
          work={() => changeSettings('settings.update', asked.change)}
          onClose={() => setAsked(null)}
        >
          <p>
            {t('retention.policyNow', { count: asked.going.deliveries, bytes: asked.going.bytes })}{' '}
            {t('retention.overBudgetHints.delete-oldest')}
          </p>
          <TrashGoesToo {...asked.going.trash} />
        </ConfirmAction>
      ) : null}
    </InlineForm>
  )
}

type By = 'count' | 'age' | 'bytes'
const PAUSE_MS = 250
/** Criteria with a number, each with the field's initial value. */
const WAYS: Readonly<Record<By, readonly [first: number, params: (value: number) => RetentionParams]>> = {
  age: [30, (days) => ({ before: Math.max(0, Date.now() - days * 86_400_000) })],
  count: [100_000, (deliveries) => ({ keepNewest: deliveries })],
  bytes: [1_000, (megabytes) => ({ freeBytes: Math.max(1, Math.round(megabytes * 1_000_000)) })],
}

function Cleanup({ stored }: { readonly stored: number }) {
  const { t } = useTranslation('settings')
  const format = useFormat()
  const [by, setBy] = useState<By>('age')
  const [values, setValues] = useState<Readonly<Partial<Record<By, number | null>>>>({})
  const [asking, setAsking] = useState(false)
  const [gone, setGone] = useState<RetentionOutcome | null>(null)
  const [first, paramsFor] = WAYS[by]
  const value = values[by] === undefined ? first : values[by]
  const asked = value === null || (by === 'bytes' && value <= 0) ? null : value
  // Reloaded after each change of the store, so that the counts are current.
  const { data: preview, refusal } = useAnswer(
    asked === null ? null : `${by} ${asked}`,
    async (signal) => {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      signal.throwIfAborted()
      const params = paramsFor(asked ?? 0)
      return { params, outcome: await api.call('retention.preview', params) }
    },
    stored,
  )

  const span = ({ oldest, newest }: RetentionOutcome) => {
    if (oldest === null || newest === null) return ''
    const [from, to] = [format.moment(oldest), format.moment(newest)]
    return from === to ? t('retention.spanAt', { from }) : t('retention.span', { from, to })
  }
  const outcome = preview?.outcome
  const some = outcome !== undefined && outcome.deliveries > 0
  return (
    <Part title={t('retention.cleanup')}>
      <SegmentedControl<By>
        label={t('retention.by')}
        value={by}
        onChange={(next) => {
          setBy(next)
          setGone(null)
        }}
        segments={(['age', 'count', 'bytes'] as const).map((way) => ({
          value: way,
          label: t(`retention.${way}`),
        }))}
      />
      <NumberField
        key={by}
        className="w-220"
        label={t(`retention.value.${by}`)}
        unit={t(`retention.unit.${by}`)}
        value={value}
        onChange={(next) => {
          setValues({ ...values, [by]: next })
          setGone(null)
        }}
        error={value === null ? t('retention.valueError') : null}
      />
      <Refused refusal={refusal} />
      <Outcome role="status">
        {gone
          ? t('retention.gone', { count: gone.deliveries, bytes: gone.bytes })
          : outcome
            ? some
              ? `${t('retention.would', { count: outcome.deliveries, bytes: outcome.bytes })} ${span(outcome)}`
              : t('retention.nothing')
            : ''}
        {outcome && outcome.pinnedExempt > 0 && !gone ? (
          <span> {t('retention.pinned', { count: outcome.pinnedExempt })}</span>
        ) : null}
      </Outcome>
      <div>
        <Button variant="danger" disabled={!some || gone !== null} onClick={() => setAsking(true)}>
          {some && !gone ? t('retention.delete', { count: outcome.deliveries }) : t('retention.deleteNone')}
        </Button>
      </div>
      {asking && preview && outcome ? (
        <ConfirmAction
          title={t('retention.confirmTitle', { count: outcome.deliveries })}
          confirmLabel={t('retention.confirm')}
          work={async () => setGone(await api.call('retention.apply', preview.params))}
          onClose={() => setAsking(false)}
        >
          <p>
            {t('retention.confirmText', { count: outcome.deliveries, bytes: outcome.bytes })} {span(outcome)}{' '}
            {outcome.pinnedExempt > 0 ? t('retention.pinned', { count: outcome.pinnedExempt }) : null}
          </p>
          <TrashGoesToo {...outcome.trash} />
        </ConfirmAction>
      ) : null}
    </Part>
  )
}

function TrashGoesToo({ deliveries, bytes }: RetentionOutcome['trash']) {
  const { t } = useTranslation('settings')
  return (
    <>
      {deliveries > 0 ? <p>{t('retention.confirmTrash', { count: deliveries, bytes })}</p> : null}
      <p>{t('retention.confirmFinal')}</p>
    </>
  )
}

/** Deleted deliveries that can be restored, by batch. @param trashed and @param bytes from the status; a change reloads the list */
function TrashPart({ trashed, bytes }: { readonly trashed: number; readonly bytes: number }) {
  const { t } = useTranslation('trash')
  const [asking, setAsking] = useState(false)
  const [restored, setRestored] = useState<number | null>(null)
  const restoring = useAction()
  // Reloaded when the trash changes.
  const { data, refusal } = useAnswer('trash', () => api.call('trash.list', {}), trashed)
  const restore = (batch: number) =>
    restoring.run(async () => setRestored((await api.call('deliveries.restore', { batch })).deliveries))
  const empty = () => {
    setRestored(null)
    return api.call('trash.empty', {})
  }
  const sum = { count: trashed, bytes }
  return (
    <Part title={t('heading')}>
      <p className={TEXT}>{t('text')}</p>
      <Outcome role="status">
        {restored === null ? null : `${t('restored', { count: restored })} `}
        {trashed === 0 ? t('empty') : t('holds', sum)}
      </Outcome>
      {trashed === 0 ? null : (
        <>
          <ul className="grid">
            {data?.batches.map((batch) => (
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
      <Refused refusal={refusal ?? restoring.refusal} />
      {asking ? (
        <ConfirmAction
          title={t('emptyTitle')}
          confirmLabel={t('emptyConfirm')}
          work={empty}
          onClose={() => setAsking(false)}
        >
          <p>{t('emptyText', sum)}</p>
          <p>{t('emptyFinal')}</p>
        </ConfirmAction>
      ) : null}
    </Part>
  )
}

interface BatchProps {
  readonly batch: TrashBatch
  readonly busy: boolean
  readonly onRestore: () => void
}

function Batch({ batch, busy, onRestore }: BatchProps) {
  const { t } = useTranslation('trash')
  const { deliveries, bytes, filter } = batch
  const at = batch.at * 1_000
  const why = filter === null ? t('chosen') : filter.trim() === '' ? t('byNone') : t('byFilter', { filter })
  return (
    <li className="flex items-center justify-between gap-12 py-7 border-t border-line-soft text-s wrap-anywhere [&_b]:font-medium">
      <div>
        <p>
          <b>{t('batch', { count: deliveries, bytes })}</b>
          {', '}
          {why}
        </p>
        <p className="text-fg-2 leading-[1.5]">{t('when', { at, end: batch.emptiedAt * 1_000 })}</p>
      </div>
      <Button small busy={busy} aria-label={t('restoreOf', { at })} onClick={onRestore}>
        {t('restore')}
      </Button>
    </li>
  )
}

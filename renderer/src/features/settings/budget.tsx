import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RetentionOutcome } from '#contract/delivery.ts'
import type { OverBudget, Settings } from '#contract/settings.ts'
import type { HostStatus } from '#contract/status.ts'
import { OVER_BUDGET } from '#contract/values.ts'
import { Button } from '@/shared/components/button.tsx'
import { ConfirmAction } from '@/shared/components/confirm-action.tsx'
import { cx } from '@/shared/components/cx.ts'
import { NumberField } from '@/shared/components/number-field.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { Select } from '@/shared/components/select.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { useFormat } from '@/shared/i18n/format.ts'
import { api } from '@/shared/live/api.ts'
import { useSettings } from '@/shared/live/settings.ts'
import styles from './settings.module.css'

const GB = 1_000_000_000

export interface BudgetProps {
  readonly settings: Settings
  readonly status: HostStatus
}

/** What the store may take, and what happens beyond that. What would go by a change is shown before it is made. */
export function Budget({ settings, status }: BudgetProps) {
  const { t } = useTranslation('settings')
  const format = useFormat()
  const update = useSettings((s) => s.update)
  const action = useAction()
  const present = settings.retention
  const [value, setValue] = useState<number | null>(present.budgetBytes / GB)
  const [overBudget, setOverBudget] = useState<OverBudget>(present.overBudget)
  const [going, setGoing] = useState<RetentionOutcome | null>(null)
  const reset = () => {
    setValue(present.budgetBytes / GB)
    setOverBudget(present.overBudget)
  }
  useEffect(reset, [present.budgetBytes, present.overBudget])
  const bytes = value === null ? null : Math.round(value * GB)
  const wrong = bytes === null || bytes < 10_000_000
  const changed = bytes !== present.budgetBytes || overBudget !== present.overBudget
  const save = async (asked: boolean) => {
    if (wrong || bytes === null) return
    const excess = status.disk.usedBytes - bytes
    await action.run(async () => {
      if (!asked && overBudget === 'delete-oldest' && excess > 0) {
        setGoing(await api.call('retention.preview', { freeBytes: excess }))
        return
      }
      await update({ retention: { budgetBytes: bytes, overBudget } })
      setGoing(null)
    })
  }
  const path = action.refusal?.details?.path
  return (
    <form
      noValidate
      className={cx(styles.inline, 'flex flex-wrap gap-8')}
      onSubmit={(event) => {
        event.preventDefault()
        void save(false)
      }}
    >
      <NumberField
        label={t('retention.budget')}
        unit="GB"
        decimals={3}
        value={value}
        onChange={setValue}
        error={wrong || path === 'retention.budgetBytes' ? t('retention.budgetError') : null}
        hint={t('retention.budgetHint')}
      />
      <Select<OverBudget>
        label={t('retention.over')}
        value={overBudget}
        onChange={setOverBudget}
        options={OVER_BUDGET.map((policy) => ({ value: policy, label: t(`retention.policy.${policy}`) }))}
        hint={t(`retention.policyHint.${overBudget}`)}
      />
      {changed ? (
        <div className="flex gap-6 pt-20">
          <Button type="submit" variant="primary" busy={action.busy}>
            {t('save')}
          </Button>
          <Button variant="quiet" onClick={reset}>
            {t('discard')}
          </Button>
        </div>
      ) : null}
      {path === 'retention.budgetBytes' ? null : <Refused refusal={action.refusal} />}
      {going ? (
        <ConfirmAction
          action={action}
          title={t('retention.policyTitle')}
          confirmLabel={t('retention.policyConfirm')}
          onConfirm={() => void save(true)}
          onCancel={() => setGoing(null)}
        >
          <p>
            {t('retention.policyNow', { count: going.deliveries, bytes: format.bytes(going.bytes) })}{' '}
            {t('retention.policyHint.delete-oldest')}
          </p>
          {going.trash.deliveries > 0 ? (
            <p>
              {t('retention.confirmTrash', {
                count: going.trash.deliveries,
                bytes: format.bytes(going.trash.bytes),
              })}
            </p>
          ) : null}
          <p>{t('retention.confirmFinal')}</p>
        </ConfirmAction>
      ) : null}
    </form>
  )
}

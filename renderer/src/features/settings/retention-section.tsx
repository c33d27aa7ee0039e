import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Params } from '#contract/commands.ts'
import type { RetentionOutcome } from '#contract/delivery.ts'
import { ConfirmAction } from '@/shared/components/confirm-action.tsx'
import { cx } from '@/shared/components/cx.ts'
import { Figures } from '@/shared/components/figures.tsx'
import { Progress } from '@/shared/components/progress.tsx'
import { useForm } from '@/shared/forms/use-form.tsx'
import { api } from '@/shared/live/api.ts'
import { changeSettings } from '@/shared/live/settings.ts'
import { Cleanup, TrashGoesToo, TrashPart } from './cleanup.tsx'
import { budgetForm } from './forms.ts'
import { type HostParts, InlineForm, NOTE, Section } from './section.tsx'

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

import { useTranslation } from 'react-i18next'
import type { FaultType } from '#contract/faults.ts'
import type { Settings } from '#contract/settings.ts'
import { FAULT_TYPES } from '#contract/values.ts'
import { parseFilter } from '#core/filter/parse.ts'
import { FormDialog, FormRow, WIDE } from '@/shared/components/form-dialog.tsx'
import { NumberField } from '@/shared/components/number-field.tsx'
import { Select } from '@/shared/components/select.tsx'
import { FilterField } from '@/shared/filter/filter-field.tsx'
import { useForm } from '@/shared/forms/use-form.ts'
import { api } from '@/shared/live/api.ts'
import { faultForm } from './fault-form.ts'

/** What the receiver does to the sender, to whose deliveries, and for how long. */
export function FaultDialog({
  settings,
  onClose,
}: {
  readonly settings: Settings
  readonly onClose: () => void
}) {
  const { t } = useTranslation(['settings', 'common'])
  const { draft, change, errorOf, dialog } = useForm({
    form: () => faultForm(Date.now),
    say: (error) => (error === 'filter' ? '' : t(`faults.errors.${error}`)),
    send: (rule) => api.call('faults.add', rule),
    onSaved: onClose,
  })
  const filter = parseFilter(draft.filter)
  return (
    <FormDialog
      width={640}
      title={t('faults.addTitle')}
      description={t('faults.dialogText')}
      action={t('faults.begin')}
      {...dialog}
      onClose={onClose}
    >
      <FormRow>
        <Select<FaultType>
          label={t('faults.effect')}
          className={WIDE}
          value={draft.type}
          onChange={(type) => change({ type })}
          options={FAULT_TYPES.map((value) => ({ value, label: t(`faults.type.${value}`) }))}
          hint={t(`faults.typeHint.${draft.type}`)}
        />
        {draft.type === 'status' ? (
          <NumberField
            label={t('faults.status')}
            value={draft.status}
            onChange={(status) => change({ status })}
            error={errorOf('status')}
          />
        ) : null}
        {draft.type === 'delay' ? (
          <NumberField
            label={t('faults.delay')}
            unit="ms"
            value={draft.delayMs}
            onChange={(delayMs) => change({ delayMs })}
            error={errorOf('delay')}
          />
        ) : null}
      </FormRow>
      <Select
        label={t('faults.endpoint')}
        value={draft.endpoint}
        onChange={(endpoint) => change({ endpoint })}
        options={[
          { value: '', label: t('faults.everyEndpoint') },
          ...settings.endpoints.map(({ name }) => ({ value: name, label: name })),
        ]}
      />
      <div className="grid gap-4 text-fg-2 [&>span]:label-s [&>small]:text-fg-3 [&>small]:text-xs [&>small]:leading-[1.4]">
        <span aria-hidden="true">{t('faults.filter')}</span>
        <FilterField
          label={t('faults.filter')}
          text={draft.filter}
          problem={filter.ok ? null : filter}
          placeholder={t('faults.filterPlaceholder')}
          onType={(text) => change({ filter: text })}
        />
        <small>{t('faults.filterHint')}</small>
      </div>
      <FormRow>
        <NumberField
          label={t('faults.share')}
          unit="%"
          decimals={1}
          max={100}
          value={draft.share}
          onChange={(share) => change({ share })}
          error={errorOf('share')}
          hint={t('faults.shareHint')}
        />
        <NumberField
          label={t('faults.seed')}
          value={draft.seed}
          onChange={(seed) => change({ seed })}
          error={errorOf('seed')}
          hint={t('faults.seedHint')}
        />
      </FormRow>
      <FormRow>
        <NumberField
          label={t('faults.next')}
          unit={t('faults.deliveries')}
          optional
          placeholder={t('faults.unbounded')}
          value={draft.next}
          onChange={(next) => change({ next })}
          error={errorOf('next')}
          hint={t('faults.nextHint')}
        />
        <NumberField
          label={t('faults.minutes')}
          unit="min"
          decimals={1}
          optional
          placeholder={t('faults.unbounded')}
          value={draft.minutes}
          onChange={(minutes) => change({ minutes })}
          error={errorOf('minutes')}
          hint={t('faults.minutesHint')}
        />
      </FormRow>
    </FormDialog>
  )
}

import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Settings } from '#contract/settings.ts'
import type { HostStatus } from '#contract/status.ts'
import { FAULT_TYPES } from '#contract/values.ts'
import { parseFilter } from '#core/filter/parse.ts'
import { Button } from '@/shared/components/button.tsx'
import { FormDialog, FormRow, WIDE } from '@/shared/components/form-dialog.tsx'
import { NumberField } from '@/shared/components/number-field.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { Select } from '@/shared/components/select.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { FilterField } from '@/shared/filter/filter-field.tsx'
import { useForm } from '@/shared/forms/use-form.ts'
import { api } from '@/shared/live/api.ts'
import { endFaults, FaultList } from './fault-list.tsx'
import { faultForm } from './forms.ts'
import { Outcome, Section } from './section.tsx'

export interface FaultsSectionProps {
  readonly settings: Settings
  readonly status: HostStatus
}

/** What the receiver does to its senders on purpose. */
export function FaultsSection({ settings, status: { faults } }: FaultsSectionProps) {
  const { t } = useTranslation('settings')
  const action = useAction()
  const [adding, setAdding] = useState(false)
  return (
    <Section
      name="faults"
      title={t('faults.title')}
      text={t('faults.text')}
      actions={
        <Button icon={<Plus />} onClick={() => setAdding(true)}>
          {t('faults.add')}
        </Button>
      }
    >
      <Refused refusal={action.refusal} />
      {faults.length === 0 ? (
        <Outcome>{t('faults.none')}</Outcome>
      ) : (
        <>
          <FaultList faults={faults} />
          <div>
            <Button busy={action.busy} onClick={() => void action.run(() => endFaults(faults))}>
              {t('faults.endAll')}
            </Button>
          </div>
        </>
      )}
      {adding ? <FaultDialog settings={settings} onClose={() => setAdding(false)} /> : null}
    </Section>
  )
}

interface FaultDialogProps {
  readonly settings: Settings
  readonly onClose: () => void
}

/** What the receiver does to the sender, to whose deliveries, and for how long. */
function FaultDialog({ settings, onClose }: FaultDialogProps) {
  const { t } = useTranslation(['settings', 'common'])
  const { draft, change, field, choice, dialog } = useForm({
    form: () => faultForm(Date.now),
    texts: ['settings', 'faults'],
    send: (rule) => api.call('faults.add', rule),
    onSaved: onClose,
  })
  const filter = parseFilter(draft.filter)
  const endless = { optional: true, placeholder: t('faults.unbounded') }
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
        <Select
          {...choice('type', FAULT_TYPES)}
          className={WIDE}
          hint={t(`faults.typeHints.${draft.type}`)}
        />
        {draft.type === 'status' ? <NumberField {...field('status')} /> : null}
        {draft.type === 'delay' ? <NumberField {...field('delayMs')} unit="ms" /> : null}
      </FormRow>
      <Select
        {...field('endpoint')}
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
        <NumberField {...field('share')} unit="%" decimals={1} max={100} />
        <NumberField {...field('seed')} />
      </FormRow>
      <FormRow>
        <NumberField {...field('next')} {...endless} unit={t('faults.deliveries')} />
        <NumberField {...field('minutes')} {...endless} unit="min" decimals={1} />
      </FormRow>
    </FormDialog>
  )
}

import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/shared/components/button.tsx'
import { FormDialog } from '@/shared/components/form-dialog.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { useForm } from '@/shared/forms/use-form.tsx'
import { endFaults, FaultList } from './fault-list.tsx'
import { faultForm } from './forms.ts'
import { type HostParts, type ItemDialogProps, Section, TEXT } from './section.tsx'

export function FaultsSection({ settings, status: { faults } }: HostParts) {
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
        <p className={TEXT}>{t('faults.none')}</p>
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

/** Form of a fault rule: the fault, the affected deliveries, the duration. */
function FaultDialog({ settings, onClose }: Omit<ItemDialogProps<never>, 'item'>) {
  const { t } = useTranslation(['settings', 'common'])
  const { draft, fields, dialog } = useForm({
    form: () => faultForm(Date.now),
    texts: ['settings', 'faults'],
    look: () => {
      const endless = { optional: true, placeholder: t('faults.unbounded') }
      const every = { value: '', label: t('faults.everyEndpoint') }
      return {
        type: { wide: true },
        endpoint: {
          options: [every, ...settings.endpoints.map(({ name }) => ({ value: name, label: name }))],
        },
        filter: { filter: true },
        share: { unit: '%', decimals: 1, max: 100 },
        next: endless,
        minutes: { ...endless, unit: 'min', decimals: 1 },
      }
    },
    onClose,
  })
  const { type } = draft
  return (
    <FormDialog
      width={640}
      title={t('faults.addTitle')}
      description={t('faults.dialogText')}
      action={t('faults.begin')}
      {...dialog}
    >
      {fields(type === 'status' ? ['type', 'status'] : type === 'delay' ? ['type', 'delayMs'] : ['type'])}
      {fields('endpoint', 'filter', ['share', 'seed'], ['next', 'minutes'])}
    </FormDialog>
  )
}

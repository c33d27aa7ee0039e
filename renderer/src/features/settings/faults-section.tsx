import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Settings } from '#contract/settings.ts'
import type { HostStatus } from '#contract/status.ts'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { Refused } from '@/shared/components/refused.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { FaultDialog } from './fault-dialog.tsx'
import { FaultList } from './fault-list.tsx'
import { endFaults } from './fault-rule.ts'
import { Section } from './section.tsx'
import styles from './settings.module.css'

/** What the receiver does to its senders on purpose. */
export function FaultsSection({
  settings,
  status,
}: {
  readonly settings: Settings
  readonly status: HostStatus
}) {
  const { t } = useTranslation('settings')
  const action = useAction()
  const [adding, setAdding] = useState(false)
  const { faults } = status
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
        <p className={cx(styles.outcome, 'min-h-18 text-fg text-s tabular-nums')}>{t('faults.none')}</p>
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

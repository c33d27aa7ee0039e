import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { WEBHOOK_PLAN } from '#catalog/service.ts'
import type { SandboxWorkspace } from '#contract/sandbox.ts'
import { Button } from '@/shared/components/button.tsx'
import { Dialog } from '@/shared/components/dialog.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { SegmentedControl } from '@/shared/components/segmented-control.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { api } from '@/shared/live/api.ts'
import { useNameError } from './name-error.ts'
import styles from './sandbox.module.css'
import { useSandbox } from './sandbox.ts'

export interface WorkspaceDialogProps {
  readonly workspace: SandboxWorkspace
  readonly onClose: () => void
}

type Plan = 'corporate' | 'other'
const OFFSET = /^[+-](?:0\d|1[0-4]):[0-5]\d$/

/** The plan of the pretended workspace, its name, and the offset that Timestamp is written with. */
export function WorkspaceDialog({ workspace, onClose }: WorkspaceDialogProps) {
  const { t } = useTranslation(['sandbox', 'common'])
  const refresh = useSandbox((s) => s.refresh)
  const action = useAction()
  const nameError = useNameError()
  const corporate = workspace.plan === WEBHOOK_PLAN
  const [plan, setPlan] = useState<Plan>(corporate ? 'corporate' : 'other')
  const [otherPlan, setOtherPlan] = useState(corporate ? 'Profesional' : workspace.plan)
  const [offset, setOffset] = useState(workspace.offset)
  const [name, setName] = useState(workspace.name)
  // A minus sign as it is printed, and a space, are taken for what they mean.
  const written = offset.trim().replace('−', '-')
  const wrong = {
    plan: plan === 'other' ? nameError(otherPlan) : null,
    offset: !OFFSET.test(written),
    name: nameError(name),
  }
  const save = async () => {
    if (wrong.plan || wrong.offset || wrong.name) return
    const done = await action.run(async () => {
      const change = {
        name: name.trim(),
        plan: plan === 'corporate' ? WEBHOOK_PLAN : otherPlan.trim(),
        offset: written,
      }
      await api.call('sandbox.set-workspace', change)
      await refresh()
    })
    if (done) onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      width={480}
      title={t('workspaceDialog.title')}
      onSubmit={() => void save()}
      footer={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button type="submit" variant="primary" busy={action.busy}>
            {t('save')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <Refused refusal={action.refusal} />
        <TextField label={t('workspaceDialog.name')} value={name} onChange={setName} error={wrong.name} />
        <div className={styles.stack}>
          <span className={styles.caption} aria-hidden="true">
            {t('workspaceDialog.plan')}
          </span>
          <div>
            <SegmentedControl<Plan>
              label={t('workspaceDialog.plan')}
              value={plan}
              onChange={setPlan}
              segments={[
                { value: 'corporate', label: WEBHOOK_PLAN },
                { value: 'other', label: t('workspaceDialog.planOther') },
              ]}
            />
          </div>
          <p className={styles.note}>{t('workspaceDialog.planHint', { plan: WEBHOOK_PLAN })}</p>
        </div>
        {plan === 'other' ? (
          <TextField
            label={t('workspaceDialog.planName')}
            value={otherPlan}
            onChange={setOtherPlan}
            error={wrong.plan}
          />
        ) : null}
        <TextField
          label={t('workspaceDialog.offset')}
          mono
          value={offset}
          onChange={setOffset}
          error={wrong.offset ? t('workspaceDialog.offsetError') : null}
          hint={t('workspaceDialog.offsetHint')}
        />
      </div>
    </Dialog>
  )
}

import { Ellipsis, FlaskConical, RotateCcw, Square } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { WEBHOOK_PLAN } from '#catalog/service.ts'
import { resetOptions, type SandboxWorkspace, workspace as workspaceSchema } from '#contract/sandbox.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { ConfirmAction } from '@/shared/components/confirm-action.tsx'
import { CopyButton } from '@/shared/components/copy-button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { FormDialog } from '@/shared/components/form-dialog.tsx'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { Menu } from '@/shared/components/menu.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import screen from '@/shared/components/screen.module.css'
import { SegmentedControl } from '@/shared/components/segmented-control.tsx'
import { Checkbox } from '@/shared/components/toggle.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { api } from '@/shared/live/api.ts'
import { useRoute } from '@/shared/live/route.ts'
import { FormField, useFields } from './field-form.tsx'
import { fieldsOf } from './fields.ts'
import { Lamp } from './part.tsx'
import { clearRuns } from './runs.ts'
import styles from './sandbox.module.css'
import { laboratoryOn, useSandbox } from './sandbox.ts'

const RESET = fieldsOf(resetOptions.pick({ seed: true }))
const NAME = { type: 'name', maxLength: 200 } as const
const WORKSPACE = fieldsOf(workspaceSchema, {
  name: NAME,
  plan: NAME,
  offset: { type: 'offset' },
})

/** Whether the sandbox runs and where, for whom it plays the service, and what of it is not as in the real one. */
export function Header() {
  const { t } = useTranslation('sandbox')
  const go = useRoute((s) => s.go)
  const { status, state, stop, refresh } = useSandbox()
  const [asked, setAsked] = useState<'workspace' | 'reset' | null>(null)
  const action = useAction()
  const url = status?.running ? status.url : null
  const workspace = state?.workspace
  const toPlan = async () => {
    await api.call('sandbox.set-workspace', { plan: WEBHOOK_PLAN })
    await refresh()
  }
  return (
    <>
      <header className={screen.bar}>
        <h1>{t('title')}</h1>
        {status ? (
          <span className="inline-flex items-center gap-6 text-fg-2 text-s whitespace-nowrap" role="status">
            <Lamp on={url === null ? null : 'valid'} />
            {t(url === null ? 'stopped' : 'started')}
          </span>
        ) : null}
        {url === null ? null : (
          <span className="inline-flex items-center gap-2 min-w-0 text-fg-2 code-s [font-variant-ligatures:none] wrap-anywhere select-text">
            {url}
            <CopyButton small text={url} label={t('copyUrl')} />
          </span>
        )}
        <span className="flex-1" />
        {state && laboratoryOn(state.laboratory) ? (
          <Button
            className={cx(styles.badge, styles.warning)}
            icon={<FlaskConical />}
            title={t('laboratoryHint')}
            onClick={() => go('sandbox', 'laboratory')}
          >
            {t('laboratoryBadge')}
          </Button>
        ) : null}
        {workspace ? (
          <Button
            className={cx(!state.dispatches && styles.warning)}
            title={t('workspace')}
            onClick={() => setAsked('workspace')}
          >
            {t('plan', { plan: workspace.plan })} · {workspace.offset.replace('-', '−')}
          </Button>
        ) : null}
        {url === null ? null : (
          <>
            <Button icon={<Square />} busy={action.busy} onClick={() => void action.run(stop)}>
              {t('stop')}
            </Button>
            <Menu
              align="end"
              trigger={<IconButton label={t('more')} icon={<Ellipsis />} />}
              entries={[
                {
                  type: 'item',
                  label: t('reset.item'),
                  icon: <RotateCcw />,
                  danger: true,
                  onSelect: () => setAsked('reset'),
                },
              ]}
            />
          </>
        )}
      </header>
      <div>
        {workspace && !state.dispatches ? (
          <Banner
            tone="info"
            title={t('otherPlan.title', { plan: workspace.plan })}
            actions={
              <Button small busy={action.busy} onClick={() => void action.run(toPlan)}>
                {t('otherPlan.back', { plan: WEBHOOK_PLAN })}
              </Button>
            }
          >
            {t('otherPlan.text')}
          </Banner>
        ) : null}
        <Refused refusal={action.refusal} />
      </div>
      {asked === 'workspace' && workspace ? (
        <WorkspaceDialog workspace={workspace} onClose={() => setAsked(null)} />
      ) : null}
      {asked === 'reset' ? <ResetDialog onClose={() => setAsked(null)} /> : null}
    </>
  )
}

interface WorkspaceDialogProps {
  readonly workspace: SandboxWorkspace
  readonly onClose: () => void
}

/** The plan of the pretended workspace, its name, and the offset that Timestamp is written with. */
function WorkspaceDialog({ workspace, onClose }: WorkspaceDialogProps) {
  const { t } = useTranslation('sandbox')
  const refresh = useSandbox((s) => s.refresh)
  const form = useFields(WORKSPACE, { ...workspace })
  const [other, setOther] = useState(workspace.plan !== WEBHOOK_PLAN)
  const save = async () => {
    const done = await form.submit(async (change) => {
      await api.call('sandbox.set-workspace', change)
      await refresh()
    })
    if (done) onClose()
  }
  const choose = (plan: 'corporate' | 'other') => {
    setOther(plan === 'other')
    form.set('plan', plan === 'corporate' ? WEBHOOK_PLAN : 'Profesional')
  }
  return (
    <FormDialog
      width={480}
      title={t('workspaceDialog.title')}
      action={t('save')}
      busy={form.action.busy}
      refusal={form.refusal}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <FormField form={form} name="name" label={t('workspaceDialog.name')} />
      <div className="grid gap-4">
        <span className="text-fg-2 label-s" aria-hidden="true">
          {t('workspaceDialog.plan')}
        </span>
        <div>
          <SegmentedControl<'corporate' | 'other'>
            label={t('workspaceDialog.plan')}
            value={other ? 'other' : 'corporate'}
            onChange={choose}
            segments={[
              { value: 'corporate', label: WEBHOOK_PLAN },
              { value: 'other', label: t('workspaceDialog.planOther') },
            ]}
          />
        </div>
        <p className="text-fg-3 text-xs leading-[1.4]">
          {t('workspaceDialog.planHint', { plan: WEBHOOK_PLAN })}
        </p>
      </div>
      {other ? <FormField form={form} name="plan" label={t('workspaceDialog.planName')} /> : null}
      <FormField
        form={form}
        name="offset"
        label={t('workspaceDialog.offset')}
        hint={t('workspaceDialog.offsetHint')}
      />
    </FormDialog>
  )
}

/** Asks before everything that the sandbox has made goes. */
function ResetDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('sandbox')
  const refresh = useSandbox((s) => s.refresh)
  const form = useFields(RESET)
  const [subscriptions, setSubscriptions] = useState(false)
  const reset = async () => {
    const done = await form.submit(async (seed) => {
      await api.call('sandbox.reset', { subscriptions, ...seed })
      clearRuns()
      await refresh()
    })
    if (done) onClose()
  }
  return (
    <ConfirmAction
      action={form.action}
      title={t('reset.title')}
      confirmLabel={t('reset.confirm')}
      onConfirm={() => void reset()}
      onCancel={onClose}
    >
      <div className="grid grid-cols-1 gap-14">
        <p>{t('reset.text')}</p>
        <Checkbox label={t('reset.subscriptions')} checked={subscriptions} onChange={setSubscriptions} />
        <FormField form={form} name="seed" label={t('seed')} hint={t('reset.seedHint')} />
      </div>
    </ConfirmAction>
  )
}

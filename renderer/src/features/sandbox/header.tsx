import { FlaskConical, RotateCcw, Square } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { WEBHOOK_PLAN } from '#catalog/service.ts'
import type { SandboxWorkspace } from '#contract/sandbox.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { ConfirmDialog } from '@/shared/components/confirm-action.tsx'
import { Address } from '@/shared/components/copy-button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { FormChoice, FormDialog } from '@/shared/components/form-dialog.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { ScreenBar } from '@/shared/components/screen.tsx'
import { StateWord } from '@/shared/components/state-word.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { type Form, given } from '@/shared/forms/form.ts'
import { useForm } from '@/shared/forms/use-form.tsx'
import { api } from '@/shared/live/api.ts'
import { useRoute } from '@/shared/live/route.ts'
import { clearRuns } from './runs.ts'
import { laboratoryOn, refreshSandbox, stopSandbox, useSandbox } from './sandbox.ts'

export function Header() {
  const { t } = useTranslation('sandbox')
  const go = useRoute((s) => s.go)
  const { status, state } = useSandbox()
  const [asked, setAsked] = useState<'workspace' | 'reset' | null>(null)
  const action = useAction()
  const url = status?.running ? status.url : null
  const workspace = state?.workspace
  const toPlan = () => api.call('sandbox.set-workspace', { plan: WEBHOOK_PLAN }).then(refreshSandbox)
  return (
    <>
      <ScreenBar title={t('title')}>
        {status ? (
          <span role="status">
            <StateWord tone={url === null ? 'off' : 'good'}>
              {t(url === null ? 'stopped' : 'started')}
            </StateWord>
          </span>
        ) : null}
        {url === null ? null : <Address text={url} label={t('copyUrl')} />}
        <span className="flex-1" />
        {state && laboratoryOn(state.laboratory) ? (
          <Button
            className="bg-warning-weak! text-warning! border-current!"
            icon={<FlaskConical />}
            title={t('laboratoryHint')}
            onClick={() => go('sandbox', 'laboratory')}
          >
            {t('laboratoryBadge')}
          </Button>
        ) : null}
        {workspace ? (
          <Button
            className={cx(!state.dispatches && 'text-warning!')}
            title={t('workspace')}
            onClick={() => setAsked('workspace')}
          >
            {t('plan', { plan: workspace.plan })} · {workspace.offset.replace('-', '−')}
          </Button>
        ) : null}
        {url === null ? null : (
          <>
            <Button icon={<Square />} busy={action.busy} onClick={() => void action.run(stopSandbox)}>
              {t('stop')}
            </Button>
            <Button icon={<RotateCcw />} onClick={() => setAsked('reset')}>
              {t('reset.item')}
            </Button>
          </>
        )}
      </ScreenBar>
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

/** Also accepts a typographic minus sign. The sandbox checks the bounds. */
const OFFSET = /^[+−-]\d\d:\d\d$/

function WorkspaceDialog(props: { readonly workspace: SandboxWorkspace; readonly onClose: () => void }) {
  const { workspace, onClose } = props
  const { t } = useTranslation('sandbox')
  const { change, fields, dialog } = useForm({
    form: (): Form<'sandbox.set-workspace', SandboxWorkspace> => ({
      command: 'sandbox.set-workspace',
      first: workspace,
      params: ({ name, plan, offset }) => ({
        name: name.trim(),
        plan: plan.trim(),
        offset: offset.trim().replace('−', '-'),
      }),
      own: ({ offset }) => (OFFSET.test(offset.trim()) ? [] : [['offset', 'offset']]),
    }),
    texts: ['sandbox', 'workspaceDialog'],
    onSaved: refreshSandbox,
    onClose,
    follow: true,
  })
  const [other, setOther] = useState(workspace.plan !== WEBHOOK_PLAN)
  const choose = (plan: 'corporate' | 'other') => {
    setOther(plan === 'other')
    change({ plan: plan === 'corporate' ? WEBHOOK_PLAN : 'Profesional' })
  }
  return (
    <FormDialog width={480} title={t('workspaceDialog.title')} action={t('save')} {...dialog}>
      {fields('name')}
      <FormChoice
        label={t('workspaceDialog.planChoice')}
        hint={t('workspaceDialog.planChoiceHint', { plan: WEBHOOK_PLAN })}
        value={other ? 'other' : 'corporate'}
        onChange={choose}
        segments={[
          { value: 'corporate', label: WEBHOOK_PLAN },
          { value: 'other', label: t('workspaceDialog.planOther') },
        ]}
      />
      {other ? fields('plan') : null}
      {fields('offset')}
    </FormDialog>
  )
}

/** Confirms the deletion of all data of the sandbox. */
function ResetDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('sandbox')
  const { fields, dialog } = useForm({
    form: (): Form<'sandbox.reset', { readonly subscriptions: boolean; readonly seed: number | null }> => ({
      command: 'sandbox.reset',
      first: { subscriptions: false, seed: null },
      params: ({ subscriptions, ...seed }) => ({ subscriptions, ...given(seed) }),
    }),
    texts: ['sandbox', 'reset'],
    look: () => ({ seed: { optional: true } }),
    onSaved: () => {
      clearRuns()
      return refreshSandbox()
    },
    onClose,
  })
  return (
    <ConfirmDialog
      danger
      busy={dialog.busy}
      title={t('reset.title')}
      confirmLabel={t('reset.confirm')}
      onConfirm={() => void dialog.onSubmit()}
      onCancel={onClose}
    >
      <div className="grid grid-cols-1 gap-14">
        <p>{t('reset.text')}</p>
        {fields('subscriptions', 'seed')}
      </div>
      <Refused refusal={dialog.refusal} />
    </ConfirmDialog>
  )
}

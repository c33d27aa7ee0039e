import { Box, FlaskConical, Play, RotateCcw, Square } from 'lucide-react'
import { type ComponentType, useEffect, useState } from 'react'
import { WEBHOOK_PLAN } from '#catalog/service.ts'
import type { SandboxWorkspace } from '#contract/sandbox.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { ConfirmDialog } from '@/shared/components/confirm-action.tsx'
import { Address } from '@/shared/components/copy-button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { Dialog } from '@/shared/components/dialog.tsx'
import { EmptyState } from '@/shared/components/empty-state.tsx'
import { Definitions, StateWord } from '@/shared/components/figures.tsx'
import { FormChoice, FormDialog } from '@/shared/components/form-dialog.tsx'
import { Loading } from '@/shared/components/loading.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { ScreenBar } from '@/shared/components/screen.tsx'
import { NavItem, SectionNav } from '@/shared/components/section-nav.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { type Form, given } from '@/shared/forms/form.ts'
import { useForm } from '@/shared/forms/use-form.tsx'
import { useTexts } from '@/shared/i18n/format.ts'
import { api } from '@/shared/live/api.ts'
import { useRoute } from '@/shared/live/route.ts'
import { EmitSection } from './emit-section.tsx'
import { KeysSection } from './keys-section.tsx'
import { LaboratorySection } from './laboratory-section.tsx'
import { LogSection } from './log-section.tsx'
import { OperationsSection } from './operations-section.tsx'
import { Lamp } from './part.tsx'
import {
  clearRuns,
  laboratoryOn,
  refreshSandbox,
  startSandbox,
  stopSandbox,
  useSandbox,
  watchSandbox,
} from './sandbox.ts'
import { ScenariosSection } from './scenarios-section.tsx'
import { PARTS, type PartGroup, type PartName, partOf } from './sections.ts'
import { SubscriptionsSection } from './subscriptions-section.tsx'
import { TrafficSection } from './traffic-section.tsx'

const SECTIONS: Readonly<Record<PartName, ComponentType>> = {
  emit: EmitSection,
  scenarios: ScenariosSection,
  operations: OperationsSection,
  traffic: TrafficSection,
  log: LogSection,
  subscriptions: SubscriptionsSection,
  laboratory: LaboratorySection,
  keys: KeysSection,
}

/** The sandbox's screen; each part scrolls by itself. @param section name of a part; null: the first */
export function SandboxScreen({ section }: { readonly section: string | null }) {
  const { status, state } = useSandbox()
  useEffect(watchSandbox, [])
  const part = partOf(section)
  const Section = SECTIONS[part]
  return (
    <div className="grid grid-rows-[auto_auto_minmax(0,1fr)] grid-cols-1 h-full min-w-0 min-h-0 bg-bg">
      <Header />
      {state ? (
        <div
          className={cx(
            'row-[3] grid grid-rows-[minmax(0,1fr)] grid-cols-[196px_minmax(0,1fr)] min-w-0 min-h-0',
            'max-[820px]:grid-rows-[auto_minmax(0,1fr)] max-[820px]:grid-cols-1',
          )}
        >
          <Nav part={part} />
          <div className="min-w-0 min-h-0 outline-none">
            <Section />
          </div>
        </div>
      ) : status?.running === false ? (
        <div className="row-[3] min-h-0 overflow-y-auto">
          <OffState />
        </div>
      ) : (
        <Loading className="h-160" />
      )}
    </div>
  )
}

function OffState() {
  const { t } = useTexts('sandbox')
  const action = useAction()
  return (
    <EmptyState
      icon={<Box />}
      title={t('off.title')}
      actions={
        <Button
          variant="primary"
          icon={<Play />}
          busy={action.busy}
          onClick={() => void action.run(startSandbox)}
        >
          {t('off.action')}
        </Button>
      }
    >
      {t('off.text')}
      <Refused refusal={action.refusal} />
    </EmptyState>
  )
}

function Nav({ part }: { readonly part: PartName }) {
  const { t } = useTexts('sandbox')
  const go = useRoute((s) => s.go)
  const [choices, setChoices] = useState(false)
  return (
    <SectionNav
      label={t('parts')}
      groups={(Object.keys(PARTS) as PartGroup[]).map((group) => ({
        name: t(`nav.${group}`),
        items: PARTS[group],
      }))}
      text={(name) => t(`nav.${name}`)}
      mark={(name) => <Mark part={name} />}
      at={part}
      onGo={(name) => go('sandbox', name)}
      foot={
        <div className="mt-auto max-[820px]:m-0">
          <NavItem label={t('choices.link')} onClick={() => setChoices(true)} />
          {choices ? <ChoicesDialog onClose={() => setChoices(false)} /> : null}
        </div>
      }
    />
  )
}

/** A part's state in the list of parts. */
function Mark({ part }: { readonly part: PartName }) {
  const { t, format } = useTexts('sandbox')
  const state = useSandbox((s) => s.state)
  if (!state) return null
  const counts: Partial<Record<PartName, number>> = {
    subscriptions: state.subscriptions,
    log: Object.values(state.log.outcomes).reduce((sum, n) => sum + n, 0),
    keys: state.keys + state.plugins,
  }
  const count = counts[part]
  if (count)
    return (
      <span className="text-fg-3 text-xs leading-none tabular-nums in-aria-[current]:text-current">
        {format.compact(count)}
      </span>
    )
  const isTraffic = part === 'traffic' && state.traffic.running
  if (!isTraffic && !(part === 'laboratory' && laboratoryOn(state.laboratory))) return null
  return (
    <>
      <Lamp on={isTraffic ? 'valid' : 'warning'} />
      <span className="visually-hidden">{t(isTraffic ? 'nav.trafficOn' : 'nav.laboratoryOn')}</span>
    </>
  )
}

/** Choices of the simulator where the specification is silent; they are no facts about the service. */
function ChoicesDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTexts('sandbox')
  const rows = Object.values(t('choices.rows', { returnObjects: true }))
  return (
    <Dialog onClose={onClose} width={720} title={t('choices.title')} description={t('choices.lead')} reading>
      <Definitions sentences of={rows.map(({ point, choice }) => [point, choice])} />
    </Dialog>
  )
}

function Header() {
  const { t } = useTexts('sandbox')
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
  const { t } = useTexts('sandbox')
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
  const { t } = useTexts('sandbox')
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

import { Box, Play } from 'lucide-react'
import { type ComponentType, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { Dialog } from '@/shared/components/dialog.tsx'
import { EmptyState } from '@/shared/components/empty-state.tsx'
import { Loading } from '@/shared/components/loading.tsx'
import { NavItem } from '@/shared/components/nav-item.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { useFormat } from '@/shared/i18n/format.ts'
import { useRoute } from '@/shared/live/route.ts'
import { EmitSection } from './emit-section.tsx'
import { Header } from './header.tsx'
import { KeysSection } from './keys-section.tsx'
import { LaboratorySection } from './laboratory-section.tsx'
import { LogSection } from './log-section.tsx'
import { OperationsSection } from './operations-section.tsx'
import { Lamp } from './part.tsx'
import { laboratoryOn, startSandbox, useSandbox, watchSandbox } from './sandbox.ts'
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

/** Our simulator of the service. Fills its parent; its parts scroll inside themselves. `section` names one of them; null: the first. */
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
  const { t } = useTranslation('sandbox')
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
  const { t } = useTranslation('sandbox')
  const go = useRoute((s) => s.go)
  const [choices, setChoices] = useState(false)
  return (
    <nav
      className={cx(
        'flex flex-col gap-12 overflow-y-auto px-10 py-10 bg-panel border-r border-line',
        'max-[820px]:flex-row max-[820px]:overflow-x-auto max-[820px]:px-12 max-[820px]:py-6',
        'max-[820px]:border-r-0 max-[820px]:border-b',
      )}
      aria-label={t('parts')}
    >
      {(Object.keys(PARTS) as PartGroup[]).map((group) => (
        <div key={group}>
          <p className="px-8 pb-4 text-fg-3 label-xs max-[820px]:hidden" id={`sandbox-${group}`}>
            {t(`nav.${group}`)}
          </p>
          <ul className="grid gap-1 max-[820px]:flex" aria-labelledby={`sandbox-${group}`}>
            {PARTS[group].map((name: PartName) => (
              <li key={name} className="flex-none">
                <NavItem label={t(`nav.${name}`)} on={part === name} onClick={() => go('sandbox', name)}>
                  <Mark part={name} />
                </NavItem>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <div className="mt-auto max-[820px]:m-0">
        <NavItem label={t('choices.link')} onClick={() => setChoices(true)} />
      </div>
      {choices ? <ChoicesDialog onClose={() => setChoices(false)} /> : null}
    </nav>
  )
}

/** What a part has to say of itself while another one is open. */
function Mark({ part }: { readonly part: PartName }) {
  const { t } = useTranslation('sandbox')
  const format = useFormat()
  const state = useSandbox((s) => s.state)
  if (!state) return null
  const counts: Partial<Record<PartName, number>> = {
    subscriptions: state.subscriptions,
    log: Object.values(state.log.outcomes).reduce((sum, n) => sum + n, 0),
    keys: state.keys + state.plugins,
  }
  const count = counts[part] ?? 0
  if (count > 0)
    return (
      <span className="text-fg-3 text-xs leading-none tabular-nums in-aria-[current]:text-current">
        {format.compact(count)}
      </span>
    )
  const words =
    part === 'traffic' && state.traffic.running
      ? t('nav.trafficOn')
      : part === 'laboratory' && laboratoryOn(state.laboratory)
        ? t('nav.laboratoryOn')
        : null
  return words === null ? null : (
    <>
      <Lamp on={part === 'traffic' ? 'valid' : 'warning'} />
      <span className="visually-hidden">{words}</span>
    </>
  )
}

/** Rows of the readings' table "Sandbox choices", in its order. */
const CHOICES = [
  'error',
  'key',
  'parameters',
  'dates',
  'order',
  'item',
  'type',
  'plugins',
  'dgii',
  'note',
  'test',
  'timeout',
] as const

/** What our simulator chose where the specification leaves it open; never to be taken for a fact about the service. */
function ChoicesDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('sandbox')
  return (
    <Dialog onClose={onClose} width={720} title={t('choices.title')} description={t('choices.lead')} reading>
      <dl className="grid text-s leading-[1.5]">
        {CHOICES.map((row) => (
          <div
            key={row}
            className={cx(
              'grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-x-20 gap-y-4 py-8 border-t border-line-soft',
              'wrap-anywhere',
              'max-[560px]:grid-cols-1',
            )}
          >
            <dt className="text-fg-2">{t(`choices.rows.${row}.point`)}</dt>
            <dd className="select-text">{t(`choices.rows.${row}.choice`)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

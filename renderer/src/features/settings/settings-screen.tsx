import { Monitor, Moon, Sun } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Settings } from '#contract/settings.ts'
import type { UpdateState } from '#contract/updates.ts'
import { MASKED_NAMES } from '#core/masking.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { Address } from '@/shared/components/copy-button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { Definitions } from '@/shared/components/figures.tsx'
import { FormChoice } from '@/shared/components/form-dialog.tsx'
import { Loading } from '@/shared/components/loading.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { SectionNav } from '@/shared/components/section-nav.tsx'
import { Switch } from '@/shared/components/toggle.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { WeakSecrets } from '@/shared/components/weak-secrets.tsx'
import { useForm } from '@/shared/forms/use-form.tsx'
import { api } from '@/shared/live/api.ts'
import { type ScreenProps, useRoute } from '@/shared/live/route.ts'
import { changeSettings, keepSettings, useSettings } from '@/shared/live/settings.ts'
import { useStatus } from '@/shared/live/status.ts'
import { AlertsSection } from './alerts-section.tsx'
import { BackupSection } from './backup-section.tsx'
import { ConnectionsSection } from './connections-section.tsx'
import { EndpointsSection } from './endpoints-section.tsx'
import { FaultsSection } from './faults-section.tsx'
import { maskingForm, tracesForm, updateForm } from './forms.ts'
import { ReceiverSection } from './receiver-section.tsx'
import { RetentionSection } from './retention-section.tsx'
import { type HostParts, InlineForm, NOTE, Outcome, Part, Section, TEXT } from './section.tsx'
import { SECTIONS } from './sections.ts'
import { SourceSection } from './source-section.tsx'
import { TargetsSection } from './targets-section.tsx'

type SettingsProps = Pick<HostParts, 'settings'>

/** Names whose values Acuse masks: its own list and the user's. */
function MaskingSection({ settings }: SettingsProps) {
  const { t } = useTranslation('settings')
  const form = useForm({
    form: () => maskingForm(settings.masking),
    texts: ['settings', 'masking'],
    look: () => ({ 'masking.names': { rows: 3, placeholder: 'X-Tenant-Code\n!key' } }),
    onSaved: keepSettings,
    follow: true,
  })
  return (
    <Section name="masking" title={t('masking.title')} text={t('masking.text')}>
      <InlineForm form={form}>{form.fields('masking.names')}</InlineForm>
      <details className={NOTE}>
        <summary>{t('masking.listed', { count: MASKED_NAMES.length })}</summary>
        <p>
          <code>{MASKED_NAMES.join(' ')}</code>
        </p>
      </details>
    </Section>
  )
}

/** The collector that gets spans of deliveries and attempts. */
function TracesSection({ settings }: SettingsProps) {
  const { t } = useTranslation('settings')
  const form = useForm({
    form: () => tracesForm(settings.telemetry),
    texts: ['settings', 'traces'],
    onSaved: keepSettings,
    follow: true,
  })
  return (
    <Section name="traces" title={t('traces.title')} text={t('traces.text')}>
      <InlineForm form={form}>{form.fields('telemetry.endpoint', 'telemetry.serviceName')}</InlineForm>
    </Section>
  )
}

type Appearance = Settings['appearance']

function AppearanceSection({ settings: { appearance } }: SettingsProps) {
  const { t } = useTranslation('settings')
  const action = useAction()
  const set = (change: Partial<Appearance>) =>
    void action.run(() => changeSettings('settings.update', { appearance: change }))
  return (
    <Section name="appearance" title={t('appearance.title')}>
      <FormChoice<Appearance['theme']>
        label={t('appearance.theme')}
        value={appearance.theme}
        onChange={(theme) => set({ theme })}
        segments={[
          { value: 'system', label: t('appearance.system'), icon: <Monitor /> },
          { value: 'light', label: t('appearance.light'), icon: <Sun /> },
          { value: 'dark', label: t('appearance.dark'), icon: <Moon /> },
        ]}
      />
      <FormChoice<Appearance['language']>
        label={t('appearance.language')}
        value={appearance.language}
        onChange={(language) => set({ language })}
        segments={[
          { value: 'system', label: t('appearance.system') },
          { value: 'en', label: 'English' },
          { value: 'es', label: 'Español' },
        ]}
      />
      <Refused refusal={action.refusal} />
    </Section>
  )
}

/** Third-party parts of the window and the host, by licence. */
const LICENCES = [
  [
    'MIT',
    'Electron, Express, ws, zod, commander, re2js, selfsigned, React, zustand, Tailwind CSS, Radix UI, i18next, react-i18next, marked',
  ],
  ['ISC', 'Lucide'],
  ['OFL-1.1', 'Inter, JetBrains Mono'],
] as const

function AboutSection({ settings, status }: HostParts) {
  const { t } = useTranslation('settings')
  const info = useStatus((s) => s.info)
  if (!info) return null
  const { version, dataDir, capabilities } = info
  return (
    <Section name="about" title={t('about.title')}>
      <Definitions
        of={[
          [t('about.version'), `Acuse ${version}`],
          [t('about.data'), <Address key="data" text={dataDir} label={t('about.copyData')} />],
          [t('about.store'), <Address key="store" text={status.store.path} label={t('about.copyStore')} />],
          [t('about.secrets'), t(capabilities.osSecretStore ? 'about.secretsSystem' : 'about.secretsFile')],
        ]}
      />
      <UpdateRow desktop={settings.desktop} />
      <WeakSecrets />
      <p className={TEXT}>{t('about.licence')}</p>
      <Definitions of={LICENCES} />
    </Section>
  )
}

/** @param section one of `SECTIONS`: scroll to it and focus its heading; null for the beginning */
export function SettingsScreen({ section }: ScreenProps) {
  const { t } = useTranslation(['settings', 'common'])
  const go = useRoute((s) => s.go)
  const settings = useSettings((s) => s.settings)
  const status = useStatus((s) => s.status)
  const session = useStatus((s) => s.info?.session)
  const page = useRef<HTMLElement>(null)
  const ready = settings !== null && status !== null
  useEffect(() => {
    if (!ready || section === null) return
    const heading = page.current?.querySelector<HTMLElement>(`#settings-${CSS.escape(section)}`)
    heading?.scrollIntoView({ block: 'start' })
    // A dialog such as the palette may have opened before the screen loaded, and keeps the focus.
    if (!document.querySelector('[role="dialog"]')) heading?.focus({ preventScroll: true })
  }, [section, ready])
  return (
    <div
      className={cx(
        'grid grid-rows-[minmax(0,1fr)] grid-cols-[184px_minmax(0,1fr)] h-full min-h-0 bg-bg',
        'max-[820px]:grid-rows-[auto_minmax(0,1fr)] max-[820px]:grid-cols-1',
      )}
    >
      <SectionNav
        label={t('sections')}
        head={<h1 className="px-8 heading-l max-[820px]:px-0">{t('title')}</h1>}
        groups={[{ items: SECTIONS }]}
        text={(name) => t(`${name}.title`)}
        at={SECTIONS.find((name) => name === section) ?? SECTIONS[0]}
        onGo={(name) => go('settings', name)}
      />
      <section
        ref={page}
        // Scrolling to a heading shows the top of its card.
        className="relative min-h-0 overflow-y-auto [scroll-padding-top:32px] focus-visible:-outline-offset-2"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        aria-label={t('title')}
      >
        {ready ? (
          <div className="grid gap-12 max-w-760 px-24 pt-16 pb-48 max-[720px]:px-12 max-[720px]:pt-12 max-[720px]:pb-32">
            <ReceiverSection settings={settings} status={status} />
            {session ? null : <SourceSection />}
            <EndpointsSection settings={settings} status={status} />
            <TargetsSection settings={settings} />
            <FaultsSection settings={settings} status={status} />
            <ConnectionsSection settings={settings} />
            <AlertsSection settings={settings} />
            <TracesSection settings={settings} />
            <MaskingSection settings={settings} />
            <RetentionSection settings={settings} status={status} />
            <BackupSection />
            <AppearanceSection settings={settings} />
            <AboutSection settings={settings} status={status} />
          </div>
        ) : (
          <Loading className="h-160" />
        )}
      </section>
    </div>
  )
}

const AGAIN_MS = 1_000

/** Newer versions: state, feed and installation; nothing in a host that does not replace itself. */
function UpdateRow({ desktop }: Pick<Settings, 'desktop'>) {
  const { t } = useTranslation('settings')
  const action = useAction()
  const [state, setState] = useState<UpdateState>({ state: 'unsupported' })
  const changing = state.state === 'checking' || state.state === 'downloading'
  // biome-ignore lint/correctness/useExhaustiveDependencies: another feed changes the state too
  useEffect(() => {
    const ask = () => void api.call('updates.get', {}).then(setState, () => undefined)
    ask()
    if (!changing) return
    const timer = setInterval(ask, AGAIN_MS)
    return () => clearInterval(timer)
  }, [changing, desktop.updateFeed])
  const form = useForm({
    form: () => updateForm(desktop),
    texts: ['settings', 'updates'],
    look: () => ({ 'desktop.updateFeed': { wide: true, placeholder: 'https://' } }),
    onSaved: keepSettings,
    follow: true,
  })
  if (state.state === 'unsupported') return null
  const run = (command: 'updates.check' | 'updates.install') =>
    void action.run(async () => setState(await api.call(command, {})))
  return (
    <Part title={t('updates.title')}>
      {state.state === 'failed' ? (
        <div className="w-full">
          <Banner tone="error" inset>
            {sentence(state, t)}
          </Banner>
        </div>
      ) : (
        <Outcome role="status">{sentence(state, t)}</Outcome>
      )}
      {state.state === 'ready' ? (
        <Button variant="primary" busy={action.busy} onClick={() => run('updates.install')}>
          {t('updates.install')}
        </Button>
      ) : (
        <Button
          busy={action.busy || changing}
          disabled={!['current', 'failed'].includes(state.state)}
          onClick={() => run('updates.check')}
        >
          {t('updates.check')}
        </Button>
      )}
      <Refused refusal={action.refusal} />
      <InlineForm form={form}>{form.fields('desktop.updateFeed')}</InlineForm>
      <Switch
        label={t('updates.daily')}
        hint={t('updates.dailyHint')}
        checked={desktop.updateDaily}
        onChange={(updateDaily) =>
          void action.run(() => changeSettings('settings.update', { desktop: { updateDaily } }))
        }
      />
    </Part>
  )
}

function sentence(
  state: Exclude<UpdateState, { state: 'unsupported' }>,
  t: ReturnType<typeof useTranslation<'settings'>>['t'],
): string {
  if (state.state === 'failed') return t(`updates.${state.reason}`, { message: state.message })
  if (state.state === 'current' && state.checkedAt !== null)
    return t('updates.checked', { at: state.checkedAt * 1_000 })
  return t(`updates.${state.state}`, { ...state })
}

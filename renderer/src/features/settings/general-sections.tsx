import { Monitor, Moon, Sun } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Settings } from '#contract/settings.ts'
import type { HostStatus } from '#contract/status.ts'
import { MASKED_NAMES } from '#core/masking.ts'
import { CopyButton } from '@/shared/components/copy-button.tsx'
import { FormChoice } from '@/shared/components/form-dialog.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { TextArea } from '@/shared/components/text-field.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { WeakSecrets } from '@/shared/components/weak-secrets.tsx'
import { useForm } from '@/shared/forms/use-form.ts'
import { useSettings } from '@/shared/live/settings.ts'
import { useStatus } from '@/shared/live/status.ts'
import { maskingForm } from './own-forms.ts'
import { InlineForm, Section } from './section.tsx'
import styles from './settings.module.css'

interface SettingsProps {
  readonly settings: Settings
}

/** Names whose values are masked: those that Acuse lists, and the user's own. */
export function MaskingSection({ settings }: SettingsProps) {
  const { t } = useTranslation('settings')
  const form = useForm({
    form: () => maskingForm(settings.masking),
    texts: ['settings', 'masking'],
    send: useSettings((s) => s.update),
    follow: true,
  })
  return (
    <Section name="masking" title={t('masking.title')} text={t('masking.text')}>
      <InlineForm form={form}>
        <TextArea {...form.field('names')} mono rows={3} placeholder={'X-Tenant-Code\n!key'} />
      </InlineForm>
      <details className={styles.note}>
        <summary>{t('masking.listed', { count: MASKED_NAMES.length })}</summary>
        <p>
          <code>{MASKED_NAMES.join(' ')}</code>
        </p>
      </details>
    </Section>
  )
}

type Appearance = Settings['appearance']

export function AppearanceSection({ settings: { appearance } }: SettingsProps) {
  const { t } = useTranslation('settings')
  const update = useSettings((s) => s.update)
  const action = useAction()
  const set = (change: Partial<Appearance>) => void action.run(() => update({ appearance: change }))
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

/** What is inside the window and the host, by licence. */
const LICENCES = [
  [
    'MIT',
    'Electron, Express, ws, zod, commander, React, zustand, TanStack Table, Radix UI, i18next, react-i18next, marked',
  ],
  ['ISC', 'Lucide'],
  ['OFL-1.1', 'Inter, JetBrains Mono'],
] as const

export function AboutSection({ status }: { readonly status: HostStatus }) {
  const { t } = useTranslation('settings')
  const info = useStatus((s) => s.info)
  if (!info) return null
  const { version, dataDir, capabilities } = info
  const path = (value: string, label: string) => (
    <span className={styles.url}>
      {value}
      <CopyButton small text={value} label={label} />
    </span>
  )
  return (
    <Section name="about" title={t('about.title')}>
      <Definitions
        of={[
          [t('about.version'), `Acuse ${version}`],
          [t('about.data'), path(dataDir, t('about.copyData'))],
          [t('about.store'), path(status.store.path, t('about.copyStore'))],
          [t('about.secrets'), t(capabilities.osSecretStore ? 'about.secretsSystem' : 'about.secretsFile')],
        ]}
      />
      <WeakSecrets />
      <p className={styles.text}>{t('about.licence')}</p>
      <Definitions of={LICENCES} />
    </Section>
  )
}

function Definitions({ of }: { readonly of: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid gap-4 text-s">
      {of.map(([name, value]) => (
        <div key={name} className="grid grid-cols-[120px_minmax(0,1fr)] items-baseline gap-12 leading-[1.5]">
          <dt className="text-fg-2">{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

import { useTranslation } from 'react-i18next'
import type { HostStatus } from '#contract/status.ts'
import { CopyButton } from '@/shared/components/copy-button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { WeakSecrets } from '@/shared/components/weak-secrets.tsx'
import { useStatus } from '@/shared/live/status.ts'
import { Section } from './section.tsx'
import styles from './settings.module.css'

/** What is inside the window and the host, by licence. */
const LICENCES = [
  [
    'MIT',
    'Electron, Express, ws, zod, commander, React, zustand, TanStack Table, Radix UI, i18next, react-i18next',
  ],
  ['ISC', 'Lucide'],
  ['OFL-1.1', 'Inter, JetBrains Mono'],
] as const

export function AboutSection({ status }: { readonly status: HostStatus }) {
  const { t } = useTranslation('settings')
  const info = useStatus((s) => s.info)
  if (!info) return null
  const { version, dataDir, capabilities } = info
  const path = (name: string, value: string, label: string) => (
    <div>
      <dt>{name}</dt>
      <dd className={styles.url}>
        {value}
        <CopyButton small text={value} label={label} />
      </dd>
    </div>
  )
  return (
    <Section name="about" title={t('about.title')}>
      <dl className={cx(styles.about, 'grid gap-4 text-s [&_dt]:text-fg-2')}>
        <div>
          <dt>{t('about.version')}</dt>
          <dd>Acuse {version}</dd>
        </div>
        {path(t('about.data'), dataDir, t('about.copyData'))}
        {path(t('about.store'), status.store.path, t('about.copyStore'))}
        <div>
          <dt>{t('about.secrets')}</dt>
          <dd>{t(capabilities.osSecretStore ? 'about.secretsSystem' : 'about.secretsFile')}</dd>
        </div>
      </dl>
      <WeakSecrets />
      <p className={styles.text}>{t('about.licence')}</p>
      <dl className={cx(styles.about, 'grid gap-4 text-s [&_dt]:text-fg-2')}>
        {LICENCES.map(([licence, names]) => (
          <div key={licence}>
            <dt>{licence}</dt>
            <dd>{names}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}

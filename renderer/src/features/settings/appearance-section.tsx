import { Monitor, Moon, Sun } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Settings } from '#contract/settings.ts'
import { cx } from '@/shared/components/cx.ts'
import { Refused } from '@/shared/components/refused.tsx'
import { SegmentedControl } from '@/shared/components/segmented-control.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { useSettings } from '@/shared/live/settings.ts'
import { Section } from './section.tsx'
import styles from './settings.module.css'

type Appearance = Settings['appearance']

export function AppearanceSection({ settings }: { readonly settings: Settings }) {
  const { t } = useTranslation('settings')
  const update = useSettings((s) => s.update)
  const action = useAction()
  const set = (appearance: Partial<Appearance>) => void action.run(() => update({ appearance }))
  return (
    <Section name="appearance" title={t('appearance.title')}>
      <div className={cx(styles.choice, 'flex flex-wrap items-center gap-x-12 gap-y-6')}>
        <span aria-hidden="true">{t('appearance.theme')}</span>
        <SegmentedControl<Appearance['theme']>
          label={t('appearance.theme')}
          value={settings.appearance.theme}
          onChange={(theme) => set({ theme })}
          segments={[
            { value: 'system', label: t('appearance.system'), icon: <Monitor /> },
            { value: 'light', label: t('appearance.light'), icon: <Sun /> },
            { value: 'dark', label: t('appearance.dark'), icon: <Moon /> },
          ]}
        />
      </div>
      <div className={cx(styles.choice, 'flex flex-wrap items-center gap-x-12 gap-y-6')}>
        <span aria-hidden="true">{t('appearance.language')}</span>
        <SegmentedControl<Appearance['language']>
          label={t('appearance.language')}
          value={settings.appearance.language}
          onChange={(language) => set({ language })}
          segments={[
            { value: 'system', label: t('appearance.system') },
            { value: 'en', label: 'English' },
            { value: 'es', label: 'Español' },
          ]}
        />
      </div>
      <Refused refusal={action.refusal} />
    </Section>
  )
}

import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { cx } from '@/shared/components/cx.ts'
import { NavItem } from '@/shared/components/nav-item.tsx'
import { Spinner } from '@/shared/components/spinner.tsx'
import { useRoute } from '@/shared/live/route.ts'
import { useSettings } from '@/shared/live/settings.ts'
import { useStatus } from '@/shared/live/status.ts'
import { ConnectionsSection } from './connections-section.tsx'
import { EndpointsSection } from './endpoints-section.tsx'
import { FaultsSection } from './faults-section.tsx'
import { AboutSection, AppearanceSection, MaskingSection } from './general-sections.tsx'
import { ReceiverSection } from './receiver-section.tsx'
import { RetentionSection } from './retention-section.tsx'
import { SECTIONS } from './sections.ts'
import styles from './settings.module.css'
import { TargetsSection } from './targets-section.tsx'

export interface SettingsScreenProps {
  /** `receiver`, `endpoints`, `retention`, `appearance`…: scroll to it and focus its heading; null for the beginning. */
  readonly section: string | null
}

/** Fills its parent and scrolls inside itself. */
export function SettingsScreen({ section }: SettingsScreenProps) {
  const { t } = useTranslation(['settings', 'common'])
  const go = useRoute((s) => s.go)
  const settings = useSettings((s) => s.settings)
  const status = useStatus((s) => s.status)
  const page = useRef<HTMLElement>(null)
  const ready = settings !== null && status !== null
  useEffect(() => {
    if (!ready || section === null) return
    const heading = page.current?.querySelector<HTMLElement>(`#settings-${CSS.escape(section)}`)
    heading?.scrollIntoView({ block: 'start' })
    // The screen may come after a dialog that was opened meanwhile, the palette say: what is typed there stays there.
    if (!document.querySelector('[role="dialog"]')) heading?.focus({ preventScroll: true })
  }, [section, ready])
  return (
    <div
      className={cx(
        styles.screen,
        'grid grid-rows-[minmax(0,1fr)] grid-cols-[184px_minmax(0,1fr)] h-full min-h-0 bg-bg',
      )}
    >
      <nav
        className={cx(styles.nav, 'px-10 py-12 border-r border-line bg-panel [&_ul]:grid [&_ul]:gap-1')}
        aria-label={t('sections')}
      >
        <h1 className={cx(styles.title, 'mb-10 px-8 heading-l')}>{t('title')}</h1>
        <ul>
          {SECTIONS.map((name) => (
            <li key={name}>
              <NavItem
                label={t(`${name}.title`)}
                on={(section ?? SECTIONS[0]) === name}
                onClick={() => go('settings', name)}
              />
            </li>
          ))}
        </ul>
      </nav>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section ref={page} className={styles.page} tabIndex={0} aria-label={t('title')}>
        {ready ? (
          <div className={cx(styles.column, 'grid gap-12 max-w-760 px-24 pt-16 pb-48')}>
            <ReceiverSection settings={settings} status={status} />
            <EndpointsSection settings={settings} status={status} />
            <TargetsSection settings={settings} />
            <FaultsSection settings={settings} status={status} />
            <ConnectionsSection settings={settings} />
            <MaskingSection settings={settings} />
            <RetentionSection settings={settings} status={status} />
            <AppearanceSection settings={settings} />
            <AboutSection status={status} />
          </div>
        ) : (
          <div className={styles.waiting}>
            <Spinner label={t('common:loading')} />
          </div>
        )}
      </section>
    </div>
  )
}

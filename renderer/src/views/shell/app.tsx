import { lazy, Suspense, useState } from 'react'
import { loadSandboxTexts, loadSettingsTexts } from '@/i18n/late-texts.ts'
import { useRoute } from '@/stores/route.ts'
import { StreamScreen } from '@/views/stream/stream-screen.tsx'
import styles from './app.module.css'
import { Banners } from './banners.tsx'
import { Rail } from './rail.tsx'
import { ScreenGuard } from './screen-guard.tsx'
import { StatusBar } from './status-bar.tsx'
import { useShellKeys } from './use-shell-keys.ts'

/** Not needed for the first draw. */
const SettingsScreen = lazy(async () => {
  const [{ SettingsScreen: screen }] = await Promise.all([
    import('@/views/settings/settings-screen.tsx'),
    loadSettingsTexts(),
  ])
  return { default: screen }
})
const SandboxScreen = lazy(async () => {
  const [{ SandboxScreen: screen }] = await Promise.all([
    import('@/views/sandbox/sandbox-screen.tsx'),
    loadSandboxTexts(),
  ])
  return { default: screen }
})
const KeyboardHelp = lazy(async () => ({ default: (await import('./keyboard-help.tsx')).KeyboardHelp }))

export function App() {
  const { screen, section } = useRoute()
  const [help, setHelp] = useState(false)
  useShellKeys(() => setHelp(true))
  return (
    <div className={styles.app}>
      <Rail onHelp={() => setHelp(true)} />
      <div className={styles.middle}>
        <Banners />
        <main className={styles.screen}>
          <ScreenGuard key={screen}>
            {screen === 'stream' ? (
              <StreamScreen />
            ) : (
              <Suspense fallback={null}>
                {screen === 'sandbox' ? (
                  <SandboxScreen section={section} />
                ) : (
                  <SettingsScreen section={section} />
                )}
              </Suspense>
            )}
          </ScreenGuard>
        </main>
      </div>
      <StatusBar />
      {help ? (
        <Suspense fallback={null}>
          <KeyboardHelp open onClose={() => setHelp(false)} />
        </Suspense>
      ) : null}
    </div>
  )
}

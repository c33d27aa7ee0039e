import { lazy, Suspense, useState } from 'react'
import { useRoute } from '@/stores/route.ts'
import { StreamScreen } from '@/views/stream/stream-screen.tsx'
import styles from './app.module.css'
import { Banners } from './banners.tsx'
import { KeyboardHelp } from './keyboard-help.tsx'
import { Rail } from './rail.tsx'
import { ScreenGuard } from './screen-guard.tsx'
import { StatusBar } from './status-bar.tsx'
import { useShellKeys } from './use-shell-keys.ts'

/** Not needed for the first draw. */
const SettingsScreen = lazy(async () => ({
  default: (await import('@/views/settings/settings-screen.tsx')).SettingsScreen,
}))

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
                <SettingsScreen section={section} />
              </Suspense>
            )}
          </ScreenGuard>
        </main>
      </div>
      <StatusBar />
      <KeyboardHelp open={help} onClose={() => setHelp(false)} />
    </div>
  )
}

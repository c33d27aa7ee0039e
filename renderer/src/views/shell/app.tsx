import { lazy, Suspense, useState } from 'react'
import { routeNamed } from '@/routes.tsx'
import { useRoute } from '@/stores/route.ts'
import styles from './app.module.css'
import { Banners } from './banners.tsx'
import { Rail } from './rail.tsx'
import { ScreenGuard } from './screen-guard.tsx'
import { StatusBar } from './status-bar.tsx'
import { useShellKeys } from './use-shell-keys.ts'

/** Not needed for the first draw. */
const KeyboardHelp = lazy(async () => ({ default: (await import('./keyboard-help.tsx')).KeyboardHelp }))

export function App() {
  const { screen, section } = useRoute()
  const { name, Screen } = routeNamed(screen)
  const [help, setHelp] = useState(false)
  useShellKeys(() => setHelp(true))
  return (
    <div className={styles.app}>
      <Rail onHelp={() => setHelp(true)} />
      <div className={styles.middle}>
        <Banners />
        <main className={styles.screen}>
          <ScreenGuard key={name}>
            <Suspense fallback={null}>
              <Screen section={section} />
            </Suspense>
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

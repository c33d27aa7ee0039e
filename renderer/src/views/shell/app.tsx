import { lazy, Suspense, useState } from 'react'
import { loadTexts } from '@/i18n/late-texts.ts'
import { routeNamed } from '@/routes.tsx'
import { useCompare } from '@/stores/compare.ts'
import { useConnect } from '@/stores/connect.ts'
import { useReplaySheet } from '@/stores/replay-sheet.ts'
import { useRoute } from '@/stores/route.ts'
import styles from './app.module.css'
import { Banners } from './banners.tsx'
import { Rail } from './rail.tsx'
import { ScreenGuard } from './screen-guard.tsx'
import { StatusBar } from './status-bar.tsx'
import { useShellKeys } from './use-shell-keys.ts'

/** Not needed for the first draw. */
const KeyboardHelp = lazy(async () => ({ default: (await import('./keyboard-help.tsx')).KeyboardHelp }))
const ReplayLayer = lazy(async () => {
  const [{ ReplayLayer: layer }] = await Promise.all([
    import('@/views/replay-sheet/replay-layer.tsx'),
    ...(['replays', 'detail', 'sandbox'] as const).map(loadTexts),
  ])
  return { default: layer }
})

const DiffLayer = lazy(async () => {
  const [{ DiffLayer: layer }] = await Promise.all([import('@/views/diff/diff-layer.tsx'), loadTexts('diff')])
  return { default: layer }
})

const ConnectLayer = lazy(async () => {
  const [{ ConnectLayer: layer }] = await Promise.all([
    import('@/views/connect/connect-layer.tsx'),
    ...(['connect', 'replays', 'detail', 'settings'] as const).map(loadTexts),
  ])
  return { default: layer }
})

function Connecting() {
  const shown = useConnect((s) => s.shown)
  return shown ? (
    <Suspense fallback={null}>
      <ConnectLayer />
    </Suspense>
  ) : null
}

function Comparing() {
  const shown = useCompare((s) => s.pair !== null)
  return shown ? (
    <Suspense fallback={null}>
      <DiffLayer />
    </Suspense>
  ) : null
}

/** The replay sheet and its notices, over any screen. */
function Replaying() {
  const shown = useReplaySheet((s) => s.source !== null || s.notice !== null)
  return shown ? (
    <Suspense fallback={null}>
      <ReplayLayer />
    </Suspense>
  ) : null
}

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
          <Replaying />
          <Comparing />
          <Connecting />
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

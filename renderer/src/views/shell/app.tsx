import { lazy, Suspense } from 'react'
import { loadTexts } from '@/i18n/late-texts.ts'
import { routeNamed } from '@/routes.tsx'
import { useCompare } from '@/stores/compare.ts'
import { useConnect } from '@/stores/connect.ts'
import { useOver } from '@/stores/over.ts'
import { useReplaySheet } from '@/stores/replay-sheet.ts'
import { useRoute } from '@/stores/route.ts'
import styles from './app.module.css'
import { Banners } from './banners.tsx'
import { Rail } from './rail.tsx'
import { ScreenGuard } from './screen-guard.tsx'
import { StatusBar } from './status-bar.tsx'
import { useFileDrop } from './use-file-drop.ts'
import { useShellKeys } from './use-shell-keys.ts'

/** Not needed for the first draw. */
const loadActions = () => Promise.all((['actions', 'settings', 'sandbox'] as const).map(loadTexts))
const KeyboardHelp = lazy(async () => {
  const [{ KeyboardHelp: help }] = await Promise.all([import('./keyboard-help.tsx'), loadActions()])
  return { default: help }
})
const Palette = lazy(async () => {
  const [{ Palette: palette }] = await Promise.all([import('./palette.tsx'), loadActions()])
  return { default: palette }
})
const FileCheckDialog = lazy(async () => {
  const [{ FileCheckDialog: dialog }] = await Promise.all([
    import('@/views/file-check/file-check.tsx'),
    ...(['fileCheck', 'detail'] as const).map(loadTexts),
  ])
  return { default: dialog }
})
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

/** What the shell itself puts over any screen. */
function Over() {
  const { shown, close } = useOver()
  return (
    <Suspense fallback={null}>
      {shown === 'help' ? <KeyboardHelp open onClose={close} /> : null}
      {shown === 'palette' ? <Palette onClose={close} /> : null}
      {shown === 'file-check' ? <FileCheckDialog onClose={close} /> : null}
    </Suspense>
  )
}

export function App() {
  const { screen, section } = useRoute()
  const { name, Screen } = routeNamed(screen)
  const dropping = useFileDrop()
  useShellKeys()
  return (
    <div className={styles.app}>
      <Rail onHelp={() => useOver.getState().show('help')} />
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
      <Over />
      {dropping ? <div className={styles.dropping} /> : null}
    </div>
  )
}

import { Suspense, useState } from 'react'
import { late } from '@/i18n/late.ts'
import { routeNamed } from '@/routes.tsx'
import { useAnnotating } from '@/stores/annotating.ts'
import { useCompare } from '@/stores/compare.ts'
import { useConnect } from '@/stores/connect.ts'
import { useOver } from '@/stores/over.ts'
import { useReplaySheet } from '@/stores/replay-sheet.ts'
import { aloneId, useRoute } from '@/stores/route.ts'
import { useTrashing } from '@/stores/trashing.ts'
import { useUndo } from '@/stores/undo.ts'
import styles from './app.module.css'
import { Banners } from './banners.tsx'
import { Rail } from './rail.tsx'
import { ScreenGuard } from './screen-guard.tsx'
import { StatusBar } from './status-bar.tsx'
import { useFileDrop } from './use-file-drop.ts'
import { useShellKeys } from './use-shell-keys.ts'

/** Not needed for the first draw. */
const KeyboardHelp = late(
  ['actions', 'settings', 'sandbox'],
  async () => (await import('./keyboard-help.tsx')).KeyboardHelp,
)
const Palette = late(['actions', 'settings', 'sandbox'], async () => (await import('./palette.tsx')).Palette)
const FileCheckDialog = late(
  ['fileCheck', 'detail'],
  async () => (await import('@/views/file-check/file-check.tsx')).FileCheckDialog,
)
const ReplayLayer = late(
  ['replays', 'detail', 'sandbox'],
  async () => (await import('@/views/replay-sheet/replay-layer.tsx')).ReplayLayer,
)

const DiffLayer = late(['diff'], async () => (await import('@/views/diff/diff-layer.tsx')).DiffLayer)

const ConnectLayer = late(
  ['connect', 'replays', 'detail', 'settings'],
  async () => (await import('@/views/connect/connect-layer.tsx')).ConnectLayer,
)

const AnnotateLayer = late(
  ['detail'],
  async () => (await import('@/views/annotations/annotate-layer.tsx')).AnnotateLayer,
)

function Annotating() {
  const shown = useAnnotating((s) => s.asked !== null)
  return shown ? (
    <Suspense fallback={null}>
      <AnnotateLayer />
    </Suspense>
  ) : null
}

const TrashLayer = late(
  ['trash', 'settings'],
  async () => (await import('@/views/trash/trash-layer.tsx')).TrashLayer,
)

function Trashing() {
  const shown = useTrashing((s) => s.asked !== null)
  return shown ? (
    <Suspense fallback={null}>
      <TrashLayer />
    </Suspense>
  ) : null
}

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

const UndoNotices = late(['undo'], async () => (await import('@/components/undo-notice.tsx')).UndoNotices)

/** Stays once there was something: what is read out must not come and go with what it says. */
function Undoing() {
  const offered = useUndo((s) => s.offers.length > 0)
  const [needed, setNeeded] = useState(false)
  if (offered && !needed) setNeeded(true)
  return needed ? (
    <Suspense fallback={null}>
      <UndoNotices />
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

const DeliveryWindow = late(
  ['detail'],
  async () => (await import('@/views/delivery/delivery-window.tsx')).DeliveryWindow,
)

/** A window of one delivery: no way to other screens, no list. */
function Alone({ id }: { readonly id: number }) {
  useShellKeys()
  return (
    <div className={styles.alone}>
      <Banners />
      <main className={styles.screen}>
        <ScreenGuard>
          <Suspense fallback={null}>
            <DeliveryWindow id={id} />
          </Suspense>
        </ScreenGuard>
        <Replaying />
        <Comparing />
        <Annotating />
        <Trashing />
      </main>
      <Over />
      <Undoing />
    </div>
  )
}

export function App() {
  const { screen, section } = useRoute()
  const alone = aloneId({ screen, section })
  return alone === null ? <Whole screen={screen} section={section} /> : <Alone id={alone} />
}

function Whole({ screen, section }: { readonly screen: string; readonly section: string | null }) {
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
          <Annotating />
          <Trashing />
          <Connecting />
        </main>
      </div>
      <StatusBar />
      <Over />
      <Undoing />
      {dropping ? <div className={styles.dropping} /> : null}
    </div>
  )
}

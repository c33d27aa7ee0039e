import { lazy, type ReactNode, Suspense, useState } from 'react'
import { keysOf } from '@/shared/actions/action.ts'
import { useIdle } from '@/shared/components/late-popup.tsx'
import { late } from '@/shared/i18n/texts.ts'
import {
  useAnnotating,
  useCompare,
  useConnect,
  useOver,
  useReplaySheet,
  useTrashing,
} from '@/shared/live/layers.ts'
import { useUndo } from '@/shared/live/undo.ts'
import { HELP } from './actions.ts'

// None of it is needed for the first draw: code and texts come when something asks for them.
const ReplayLayer = late(
  ['replays', 'detail', 'sandbox'],
  async () => (await import('@/features/replays/sheet/replay-sheet.tsx')).ReplayLayer,
)
const DiffLayer = late(['diff'], async () => (await import('@/shared/diff/diff-layer.tsx')).DiffLayer)
const AnnotateLayer = late(
  ['detail'],
  async () => (await import('@/features/delivery/annotations/annotate-layer.tsx')).AnnotateLayer,
)
const TrashLayer = late(
  ['trash', 'settings'],
  async () => (await import('@/features/settings/trash-layer.tsx')).TrashLayer,
)
const ConnectLayer = late(
  ['connect', 'replays', 'detail', 'settings'],
  async () => (await import('@/features/settings/connect/connect-layer.tsx')).ConnectLayer,
)
const KeyboardHelp = late(
  ['actions', 'settings', 'sandbox'],
  async () => (await import('./keyboard-help.tsx')).KeyboardHelp,
)
const Guide = late(['actions'], async () => (await import('./guide.tsx')).Guide)
const Palette = late(['actions', 'settings', 'sandbox'], async () => (await import('./palette.tsx')).Palette)
const FileCheckDialog = late(
  ['fileCheck', 'detail'],
  async () => (await import('@/features/delivery/file-check/file-check.tsx')).FileCheckDialog,
)
const Tooltips = lazy(async () => ({ default: (await import('@/shared/components/tooltips.tsx')).Tooltips }))
const UndoNotices = late(
  ['undo'],
  async () => (await import('@/shared/components/undo-notice.tsx')).UndoNotices,
)

/** What may come late, while it is asked for. */
function Shown({ when, children }: { readonly when: boolean; readonly children: ReactNode }) {
  return when ? <Suspense fallback={null}>{children}</Suspense> : null
}

/** What deliveries open over any screen, and over a window of one delivery. */
export function DeliveryLayers() {
  const replaying = useReplaySheet((s) => s.source !== null || s.notice !== null)
  const comparing = useCompare((s) => s.pair !== null)
  const annotating = useAnnotating((s) => s.asked !== null)
  const trashing = useTrashing((s) => s.asked !== null)
  return (
    <>
      <Shown when={replaying}>
        <ReplayLayer />
      </Shown>
      <Shown when={comparing}>
        <DiffLayer />
      </Shown>
      <Shown when={annotating}>
        <AnnotateLayer />
      </Shown>
      <Shown when={trashing}>
        <TrashLayer />
      </Shown>
    </>
  )
}

export function Connecting() {
  const shown = useConnect((s) => s.shown)
  return (
    <Shown when={shown}>
      <ConnectLayer />
    </Shown>
  )
}

/** Stays once there was something: what is read out must not come and go with what it says. */
export function Undoing() {
  const offered = useUndo((s) => s.offers.length > 0)
  const [needed, setNeeded] = useState(false)
  if (offered && !needed) setNeeded(true)
  return (
    <Shown when={needed}>
      <UndoNotices keys={keysOf(HELP.undo)} />
    </Shown>
  )
}

export function Tips() {
  return (
    <Shown when={useIdle()}>
      <Tooltips />
    </Shown>
  )
}

/** What the shell itself puts over any screen. */
export function Over() {
  const { shown, close } = useOver()
  return (
    <Suspense fallback={null}>
      {shown === 'help' ? <KeyboardHelp open onClose={close} /> : null}
      {shown === 'guide' ? <Guide onClose={close} /> : null}
      {shown === 'palette' ? <Palette onClose={close} /> : null}
      {shown === 'file-check' ? <FileCheckDialog onClose={close} /> : null}
    </Suspense>
  )
}

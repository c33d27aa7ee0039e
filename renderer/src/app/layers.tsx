import { useState } from 'react'
import { keysOf } from '@/shared/actions/action.ts'
import { useIdle } from '@/shared/components/late-popup.tsx'
import { lateView } from '@/shared/i18n/texts.ts'
import {
  useAnnotating,
  useCompare,
  useConnect,
  useCopying,
  useExporting,
  useOver,
  useReplaySheet,
  useScheduling,
  useTrashing,
} from '@/shared/live/layers.ts'
import { useUndo } from '@/shared/live/undo.ts'
import { HELP } from './actions.ts'

// Not needed for the first render: code and texts load on demand.
const ReplayLayer = lateView(
  ['replays', 'detail', 'sandbox'],
  async () => (await import('@/features/replays/sheet/replay-sheet.tsx')).ReplayLayer,
)
const DiffLayer = lateView(['diff'], async () => (await import('@/shared/diff/diff-layer.tsx')).DiffLayer)
const AnnotateLayer = lateView(
  ['detail'],
  async () => (await import('@/features/delivery/annotations/annotate-layer.tsx')).AnnotateLayer,
)
const TrashLayer = lateView(
  ['trash', 'settings'],
  async () => (await import('@/features/settings/trash-layer.tsx')).TrashLayer,
)
const ConnectLayer = lateView(
  ['connect', 'replays', 'detail', 'settings'],
  async () => (await import('@/features/settings/connect/connect-layer.tsx')).ConnectLayer,
)
const ScheduleLayer = lateView(
  ['schedules', 'settings', 'reconcile'],
  async () => (await import('@/features/settings/schedule-dialog.tsx')).ScheduleLayer,
)
const ExportDialog = lateView(
  ['exports'],
  async () => (await import('@/features/transfer/export-dialog.tsx')).ExportDialog,
)
const CopyNotice = lateView(
  ['order'],
  async () => (await import('@/shared/deliveries/copy-notice.tsx')).CopyNotice,
)
const KeyboardHelp = lateView(
  ['actions', 'settings', 'sandbox'],
  async () => (await import('./keyboard-help.tsx')).KeyboardHelp,
)
const Guide = lateView(['actions'], async () => (await import('./guide.tsx')).Guide)
const Palette = lateView(
  ['actions', 'settings', 'sandbox'],
  async () => (await import('./palette.tsx')).Palette,
)
const FileCheckDialog = lateView(
  ['fileCheck', 'detail'],
  async () => (await import('@/features/delivery/file-check/file-check.tsx')).FileCheckDialog,
)
const ImportDialog = lateView(
  ['imports'],
  async () => (await import('@/features/transfer/import-dialog.tsx')).ImportDialog,
)
const MenusOpened = lateView([], async () => (await import('./context-menus.tsx')).ContextMenus)
const Drops = lateView(['imports'], async () => (await import('./drops.tsx')).Drops)
const Tooltips = lateView([], async () => (await import('@/shared/components/tooltips.tsx')).Tooltips)
const UndoNotices = lateView(
  ['undo'],
  async () => (await import('@/shared/components/undo-notice.tsx')).UndoNotices,
)

/** Dialogs and sheets that actions of a screen open over it. */
export function Layers() {
  const replaying = useReplaySheet((s) => s.source !== null || s.notice !== null)
  const comparing = useCompare((s) => s.pair !== null)
  const annotating = useAnnotating((s) => s.asked !== null)
  const trashing = useTrashing((s) => s.asked !== null)
  const copying = useCopying((s) => s.now)
  const connecting = useConnect((s) => s.shown)
  const exporting = useExporting((s) => s.of)
  const scheduling = useScheduling((s) => s.connection !== null)
  return (
    <>
      {replaying ? <ReplayLayer /> : null}
      {comparing ? <DiffLayer /> : null}
      {annotating ? <AnnotateLayer /> : null}
      {trashing ? <TrashLayer /> : null}
      {copying ? <CopyNotice copying={copying} /> : null}
      {connecting ? <ConnectLayer /> : null}
      {exporting ? <ExportDialog of={exporting} /> : null}
      {scheduling ? <ScheduleLayer /> : null}
      <ContextMenus />
    </>
  )
}

/** Stays mounted after its first message: a live region must exist before its text changes. */
export function Undoing() {
  const offered = useUndo((s) => s.offers.length > 0)
  const [needed, setNeeded] = useState(false)
  if (offered && !needed) setNeeded(true)
  return needed ? <UndoNotices keys={keysOf(HELP.undo)} /> : null
}

const ContextMenus = () => (useIdle() ? <MenusOpened /> : null)

export const Tips = () => (useIdle() ? <Tooltips /> : null)

export const Dropping = () => (useIdle() ? <Drops /> : null)

const OVER = {
  help: KeyboardHelp,
  guide: Guide,
  palette: Palette,
  'file-check': FileCheckDialog,
  import: ImportDialog,
}

export function Over() {
  const { shown, close } = useOver()
  const Shown = shown && OVER[shown]
  return Shown ? <Shown onClose={close} /> : null
}

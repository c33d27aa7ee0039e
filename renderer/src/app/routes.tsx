import {
  Box,
  Columns2,
  FileText,
  type LucideIcon,
  Puzzle,
  Radar,
  RotateCcw,
  Rows3,
  Settings2,
} from 'lucide-react'
import type { ComponentType } from 'react'
import { StreamScreen } from '@/features/stream/stream-screen.tsx'
import { late, lateView } from '@/shared/i18n/texts.ts'
import type { ScreenName, ScreenProps } from '@/shared/live/route.ts'

// The details' viewers and catalogue texts are not needed for the first render.
const DetailPane = lateView(
  ['detail'],
  async () => (await import('@/features/delivery/detail/detail-pane.tsx')).DetailPane,
)
const Checklist = lateView(
  ['connect', 'settings'],
  async () => (await import('@/features/settings/connect/checklist.tsx')).Checklist,
)
const Stream = () => <StreamScreen DetailPane={DetailPane} Checklist={Checklist} />

export interface Route {
  /** In the location hash, and the key of its label in the `shell` texts. */
  readonly name: ScreenName
  /** The key after `g`. The position in this table is a second key. */
  readonly key: string
  readonly icon: LucideIcon
  readonly Screen: ComponentType<ScreenProps>
}

/** All screens in the order of the rail; the last is at its foot. A new screen needs a line here and a label in the `shell` texts. */
export const ROUTES = [
  { name: 'stream', key: 's', icon: Rows3, Screen: Stream },
  {
    name: 'documents',
    key: 'd',
    icon: FileText,
    Screen: late(
      ['documents'],
      async () => (await import('@/features/documents/documents-screen.tsx')).DocumentsScreen,
    ),
  },
  {
    name: 'reconcile',
    key: 'c',
    icon: Columns2,
    Screen: late(
      ['reconcile', 'replays', 'schedules', 'detail'],
      async () => (await import('@/features/reconcile/reconcile-screen.tsx')).ReconcileScreen,
    ),
  },
  {
    name: 'replays',
    key: 'r',
    icon: RotateCcw,
    Screen: late(
      ['replays', 'detail', 'diff'],
      async () => (await import('@/features/replays/replays-screen.tsx')).ReplaysScreen,
    ),
  },
  {
    name: 'sandbox',
    key: 'x',
    icon: Box,
    Screen: late(
      ['sandbox'],
      async () => (await import('@/features/sandbox/sandbox-screen.tsx')).SandboxScreen,
    ),
  },
  {
    name: 'plugins',
    key: 'p',
    icon: Puzzle,
    Screen: late(
      ['plugins', 'sandbox', 'replays', 'detail', 'settings'],
      async () => (await import('@/features/settings/plugins/plugins-screen.tsx')).PluginsScreen,
    ),
  },
  {
    name: 'drift',
    key: 'f',
    icon: Radar,
    Screen: late(['drift'], async () => (await import('@/features/drift/drift-screen.tsx')).DriftScreen),
  },
  {
    name: 'settings',
    key: 'e',
    icon: Settings2,
    Screen: late(
      ['incident', 'settings', 'schedules', 'reconcile', 'replays', 'trash'],
      async () => (await import('@/features/settings/settings-screen.tsx')).SettingsScreen,
    ),
  },
] as const satisfies readonly Route[]

/** The route of a name in the location hash; the first one for an unknown name. */
export const routeNamed = (name: string): (typeof ROUTES)[number] =>
  ROUTES.find((route) => route.name === name) ?? ROUTES[0]

import { Keyboard } from 'lucide-react'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { HostStatus } from '#contract/status.ts'
import { keysOf } from '@/shared/actions/action.ts'
import { useKeyHint } from '@/shared/components/action-keys.tsx'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { noteFirstDraw, useIdle } from '@/shared/components/late-popup.tsx'
import { Loading } from '@/shared/components/loading.tsx'
import { tip } from '@/shared/components/tip.ts'
import { useNow } from '@/shared/components/use-now.ts'
import { lateDialogs, lateView } from '@/shared/i18n/texts.ts'
import { host } from '@/shared/live/api.ts'
import {
  giveUpDialogs,
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
import { aloneId, type ScreenName, useRoute } from '@/shared/live/route.ts'
import { useStatus } from '@/shared/live/status.ts'
import { useUndo } from '@/shared/live/undo.ts'
import icon from '../../../resources/icon.svg?no-inline'
import { HELP, SCREENS } from './actions.ts'
import { Guard } from './guard.tsx'
import { screenDrawn } from './perform.ts'
import { ROUTES, routeNamed } from './routes.tsx'
import { StatusBar } from './status-bar.tsx'
import { useActionKeys } from './use-action-keys.ts'

const DeliveryWindow = lateView(
  ['detail'],
  async () => (await import('@/features/delivery/delivery-window.tsx')).DeliveryWindow,
)

/** An error in one screen must not remove the rail, the status bar and the banners. Reloaded after its session, no screen has data. */
function Guarded({ children }: { readonly children: ReactNode }) {
  const ended = useStatus((s) => (s.info ? null : s.ended))
  return <Guard>{ended ? <Ended origin={ended} /> : children}</Guard>
}

/** A window of one delivery: no way to other screens, no list. */
function Alone({ id }: { readonly id: number }) {
  useActionKeys()
  return (
    <div className="grid grid-rows-[auto_minmax(0,1fr)_auto] h-full">
      <Banners />
      <main className="min-w-0 min-h-0 overflow-hidden">
        <Guarded>
          <DeliveryWindow id={id} />
        </Guarded>
        <Layers />
      </main>
      <div id="notices" />
      <Over />
      <Undoing />
      <Tips />
    </div>
  )
}

export function App() {
  const { screen, section } = useRoute()
  const alone = aloneId({ screen, section })
  const elsewhere = alone !== null || routeNamed(screen).name !== 'stream'
  // The Stream reports it itself, after its first rows.
  useEffect(() => {
    if (elsewhere) noteFirstDraw()
  }, [elsewhere])
  return alone === null ? <Whole screen={screen} section={section} /> : <Alone id={alone} />
}

/** Rendered beside a screen, so its effect runs once the screen's code is loaded. */
function Drawn({ name }: { readonly name: ScreenName }) {
  useEffect(() => {
    screenDrawn(name)
    return () => screenDrawn(null)
  }, [name])
  return null
}

function Whole({ screen, section }: { readonly screen: string; readonly section: string | null }) {
  const { name, Screen } = routeNamed(screen)
  useActionKeys()
  return (
    <div className="grid grid-rows-[minmax(0,1fr)_auto_auto] grid-cols-[var(--rail)_minmax(0,1fr)] h-full">
      <Rail />
      <div className="grid grid-rows-[auto_minmax(0,1fr)] min-w-0 min-h-0">
        <Banners />
        <main className="min-w-0 min-h-0 overflow-hidden">
          <Guarded key={name}>
            <Suspense
              fallback={<Loading className="h-full [transition:opacity_0s_400ms] starting:opacity-0" />}
            >
              <Screen section={section} />
              <Drawn name={name} />
            </Suspense>
          </Guarded>
          <Layers />
        </main>
      </div>
      <div id="notices" className="col-span-full min-w-0" />
      <StatusBar />
      <Over />
      <Undoing />
      <Tips />
      <Dropping />
    </div>
  )
}

const ITEM = cx(
  'grid place-items-center w-38 h-36 p-0 border-0 rounded-8 cursor-default',
  '[transition:background-color_var(--ease),color_var(--ease)]',
  '[&_svg]:size-18 [&_svg]:stroke-[1.7]',
)
const OTHER = 'bg-transparent text-fg-3 hover:bg-line hover:text-fg'

function Rail() {
  const { t } = useTranslation('shell')
  const hint = useKeyHint()
  const current = useRoute((s) => routeNamed(s.screen).name)
  const screen = ({ name, icon: Icon }: (typeof ROUTES)[number]) => (
    <a
      key={name}
      href={`#/${name}`}
      {...tip({ content: t(name), kbd: hint(SCREENS[name]), side: 'right' })}
      aria-label={t(name)}
      aria-current={current === name ? 'page' : undefined}
      className={cx(
        ITEM,
        current === name
          ? 'bg-accent-weak text-accent forced-colors:outline-2 forced-colors:outline-[Highlight]'
          : OTHER,
      )}
      draggable={false}
    >
      <Icon aria-hidden="true" />
    </a>
  )
  return (
    <nav
      className="flex flex-col items-center gap-4 pt-10 pb-8 border-r border-line bg-sunken"
      aria-label={t('screens')}
    >
      <img className="mb-10 rounded-8 select-none size-28" src={icon} alt="Acuse" draggable={false} />
      {ROUTES.slice(0, -1).map(screen)}
      <span className="flex-1" />
      <button
        type="button"
        {...tip({ content: t('help'), kbd: hint(HELP.help), side: 'right' })}
        className={cx(ITEM, OTHER)}
        aria-label={t('help')}
        onClick={() => HELP.help.run()}
      >
        <Keyboard aria-hidden="true" />
      </button>
      {ROUTES.slice(-1).map(screen)}
    </nav>
  )
}

// Rarely needed, so the code loads on demand.
const late = () => import('./status-banners.tsx')
const StatusBanners = lateView(['incident'], async () => (await late()).StatusBanners)
const Ended = lateView(['incident'], async () => (await late()).Ended)
const AttachedBanner = lateView(['incident'], async () => (await late()).AttachedBanner)

const isWell = ({ store, receiver, disk, alertsFailing }: HostStatus): boolean =>
  store.state === 'ok' &&
  receiver.state !== 'failed' &&
  receiver.state !== 'off' &&
  store.incidents.length + store.logProblems.length === 0 &&
  disk.usedBytes < disk.budgetBytes &&
  alertsFailing === undefined

/** @param title and text of an attached window, which names its host */
function LostBanner(props: {
  readonly retryAt: number | null
  readonly title?: string
  readonly text?: string
}) {
  const { retryAt } = props
  const { t } = useTranslation('shell')
  const now = useNow(retryAt === null ? null : 500)
  const seconds = Math.max(0, Math.ceil(((retryAt ?? now) - now) / 1_000))
  return (
    <Banner
      tone="error"
      title={props.title ?? t('lost.title')}
      actions={
        <Button small onClick={() => host().reconnect()}>
          {t('lost.now')}
        </Button>
      }
    >
      {props.text ?? t('lost.text')}{' '}
      {/* The countdown is not read out: a screen reader would say nothing else. */}
      <span aria-hidden="true">
        {seconds > 0 ? t('lost.retryIn', { count: seconds }) : t('lost.retrying')}
      </span>
    </Banner>
  )
}

/** Where the window is attached, then problems that persist until the user resolves them, worst first. */
function Banners() {
  const { status, info, connection, retryAt, ended } = useStatus()
  const failed = useOver((s) => s.failed)
  const { t } = useTranslation('shell')
  const attachedTo = info?.attachedTo
  return (
    // Many problems at once leave the window its half.
    <div className="max-h-[50vh] overflow-y-auto">
      {connection === 'lost' && !attachedTo && !ended ? (
        <LostBanner retryAt={retryAt} {...(info?.session ? { text: t('lost.session') } : {})} />
      ) : null}
      {attachedTo ? <AttachedBanner origin={attachedTo} Lost={LostBanner} /> : null}
      {failed ? (
        <Banner tone="error" onDismiss={() => useOver.setState({ failed: false })}>
          {t('failed')}
        </Banner>
      ) : null}
      {status && !isWell(status) ? <StatusBanners status={status} /> : null}
    </div>
  )
}

// Not needed for the first render: code and texts load on demand.
const lateDialog = lateDialogs(giveUpDialogs)
const ReplayLayer = lateDialog(
  ['replays', 'detail', 'sandbox'],
  async () => (await import('@/features/replays/sheet/replay-sheet.tsx')).ReplayLayer,
)
const DiffLayer = lateDialog(['diff'], async () => (await import('@/shared/diff/diff-layer.tsx')).DiffLayer)
const AnnotateLayer = lateDialog(
  ['detail'],
  async () => (await import('@/features/delivery/annotations/annotate-layer.tsx')).AnnotateLayer,
)
const TrashLayer = lateDialog(
  ['trash', 'settings'],
  async () => (await import('@/features/settings/trash-layer.tsx')).TrashLayer,
)
const ConnectLayer = lateDialog(
  ['connect', 'replays', 'detail', 'settings'],
  async () => (await import('@/features/settings/connect/connect-layer.tsx')).ConnectLayer,
)
const ScheduleLayer = lateDialog(
  ['schedules', 'settings', 'reconcile'],
  async () => (await import('@/features/settings/schedule-dialog.tsx')).ScheduleLayer,
)
const ExportDialog = lateDialog(
  ['exports'],
  async () => (await import('@/features/transfer/export-dialog.tsx')).ExportDialog,
)
const CopyNotice = lateView(
  ['order'],
  async () => (await import('@/shared/deliveries/copy-notice.tsx')).CopyNotice,
)
const KeyboardHelp = lateDialog(
  ['actions', 'settings', 'sandbox'],
  async () => (await import('./keyboard-help.tsx')).KeyboardHelp,
)
const Guide = lateDialog(['actions'], async () => (await import('./guide.tsx')).Guide)
const Palette = lateDialog(
  ['actions', 'settings', 'sandbox'],
  async () => (await import('./palette.tsx')).Palette,
)
const FileCheckDialog = lateDialog(
  ['fileCheck', 'detail'],
  async () => (await import('@/features/delivery/file-check/file-check.tsx')).FileCheckDialog,
)
const ImportDialog = lateDialog(
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
function Layers() {
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
function Undoing() {
  const offered = useUndo((s) => s.offers.length > 0)
  const [needed, setNeeded] = useState(false)
  if (offered && !needed) setNeeded(true)
  return needed ? <UndoNotices keys={keysOf(HELP.undo)} /> : null
}

const ContextMenus = () => (useIdle() ? <MenusOpened /> : null)

const Tips = () => (useIdle() ? <Tooltips /> : null)

const Dropping = () => (useIdle() ? <Drops /> : null)

const OVER = {
  help: KeyboardHelp,
  guide: Guide,
  palette: Palette,
  'file-check': FileCheckDialog,
  import: ImportDialog,
}

function Over() {
  const { shown, close } = useOver()
  const Shown = shown && OVER[shown]
  return Shown ? <Shown onClose={close} /> : null
}

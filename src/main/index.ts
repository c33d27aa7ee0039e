import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import {
  app,
  clipboard,
  dialog,
  ipcMain,
  Menu,
  type MenuItemConstructorOptions,
  Notification,
  nativeTheme,
  protocol,
  safeStorage,
  session,
  shell,
  utilityProcess,
} from 'electron'
import type { HostAct } from '#contract/app-menu.ts'
import { DEFAULT_SETTINGS } from '#contract/defaults.ts'
import { messageOf } from '#contract/errors.ts'
import type { Settings } from '#contract/settings.ts'
import type { HostStatus } from '#contract/status.ts'
import { assemble, type Host } from '#hosts/assemble.ts'
import { writeAtomically } from '#hosts/atomic-file.ts'
import { dataDir, ensureDataDir } from '#hosts/data-dir.ts'
import { type LocalServer, serveLocal } from '#hosts/local/server.ts'
import { openSecrets } from '#hosts/secrets-file.ts'
import { openSessionFile, sessionOptions, type UnpackedSession } from '#hosts/session-host.ts'
import { readWindow } from '#hosts/window-files.ts'
import { checkerFile, hostWorkers } from '#hosts/workers.ts'
import { RECONNECT } from '../preload/channels.ts'
import { keepMenu } from './app-menu.ts'
import { attachFromClipboard } from './attach.ts'
import { answerFiles } from './files.ts'
import { answerCommands, type Caller, isOurPage } from './ipc.ts'
import { nativeNotices, sayOnce, staysOpen } from './notices.ts'
import { readOptions } from './options.ts'
import { pageSource, rendererFolder, SCHEME, serveFile } from './page.ts'
import { KeptPlacements } from './placement.ts'
import { quitOrderly } from './quit.ts'
import { secretProtection } from './secrets.ts'
import { confine, denyPermissions, keepDownloads, linkedRoute } from './security.ts'
import { keepTray } from './tray.ts'
import { AppUpdates, type UpdateParts } from './updates.ts'
import { UTILITY, utilityProgram } from './utility.ts'
import { Windows } from './windows.ts'
import { hostLanguage } from './words.ts'

/** Time for an installer to end this process. */
const INSTALLER_MS = 20_000

const warn = (message: string): void => console.error(message)
const here = import.meta.dirname
const options = readOptions(process.argv.slice(1))
/** Links that macOS gives before the host runs. */
const waitingLinks: string[] = []
/** Each session has a process, and a data folder that ends with it. Undefined: it cannot be opened, and the user knows. */
const opened = openedSession()
const folder = opened?.folder ?? dataDir(options.data)
/** Opens links and windows. `window` does nothing until the host runs; before that no page exists. */
const opener = {
  external: (url: string) => void shell.openExternal(url),
  window: (_hash: string) => {},
  link: (url: string): void => {
    waitingLinks.push(url)
  },
}
// The bundler replaces DEV, so that a built app ignores this environment variable.
const page = pageSource(import.meta.env.DEV ? process.env.ELECTRON_RENDERER_URL : undefined)

// Without a listener Node opens its inspector on this signal, and every user of the machine could connect to it.
process.on('SIGUSR1', () => {})
app.setName('Acuse')
app.enableSandbox()
protocol.registerSchemesAsPrivileged([
  { scheme: SCHEME, privileges: { standard: true, secure: true, codeCache: true } },
])
// Chromium's files are in our data folder, so the single-instance lock is per data folder instead of per user.
const chromiumFolder = join(folder, 'desktop')
// macOS sends links as events, to the running app too; elsewhere they are arguments.
app.on('open-url', (event, url) => {
  event.preventDefault()
  opener.link(url)
})
// No top-level await: 'ready' fires only after this module has been evaluated.
if (opened === undefined || !claimFolders()) app.exit(3)
else if (app.requestSingleInstanceLock()) void app.whenReady().then(boot).catch(giveUp)
else app.exit(0)

// macOS names the file of a double click by this event, before it is ready or later.
app.on('open-file', (event, path) => {
  event.preventDefault()
  const own = app.isPackaged ? [] : [app.getAppPath()]
  spawn(process.execPath, [...own, path], { detached: true, stdio: 'ignore' }).unref()
  // The user wanted the session, not a receiver.
  if (!app.isReady()) app.exit(0)
})

function openedSession(): UnpackedSession | null | undefined {
  const { session: file } = options
  if (file === undefined) return null
  try {
    return openSessionFile(file, dataDir(options.data))
  } catch (error) {
    sayWhy(error)
    return undefined
  }
}

/** @returns whether both folders can be used; if not, it has shown the reason */
function claimFolders(): boolean {
  try {
    ensureDataDir(folder, warn)
    ensureDataDir(chromiumFolder, warn)
    app.setPath('userData', chromiumFolder)
    return true
  } catch (error) {
    sayWhy(error)
    return false
  }
}

async function boot(): Promise<void> {
  // The installers of macOS and Linux register the links, that of Windows does not.
  if (app.isPackaged && process.platform === 'win32') app.setAsDefaultProtocolClient('acuse')
  const files = page.origin.startsWith(SCHEME)
    ? readWindow(rendererFolder(here), '/electron.html')
    : new Map()
  protocol.handle(SCHEME, (request) => serveFile(request, files))
  denyPermissions(session.defaultSession, page.origin)
  keepDownloads(session.defaultSession, page.origin, () => app.getPath('downloads'))
  app.on('web-contents-created', (_event, contents) => confine(contents, page.url, opener))

  const updates = canReplaceItself() ? new AppUpdates(updating) : undefined
  const { coding, ...secretStore } = await secretProtection(safeStorage, process.platform)
  const host = await assemble({
    dataDir: folder,
    workers: { ...hostWorkers, checker: () => utilityProgram(utilityProcess.fork(checkerFile, [], UTILITY)) },
    secrets: await openSecrets(folder, coding),
    capabilities: { ...secretStore, nativeWindow: true, uiLinks: false },
    version: app.getVersion(),
    receiver: options.receiver,
    ...(opened && sessionOptions(opened)),
    ...(updates ? { updates } : {}),
    warn,
  })
  const local = await serveLocal({ engine: host.engine, dataDir: folder }).catch((error: unknown) => {
    warn(`The command line cannot reach this Acuse: ${String(error)}`)
    return undefined
  })
  await openDesktop(host, local)
  updates?.begin()
}

/** Whether electron-updater can replace this copy; that of a Debian package is the package manager's. */
const canReplaceItself = (): boolean =>
  app.isPackaged && (process.platform !== 'linux' || process.env.APPIMAGE !== undefined)

/** How updates reach the app; the parts that need the host come with it. */
const updating: { -readonly [K in keyof UpdateParts]: UpdateParts[K] } = {
  async load() {
    const { AppImageUpdater, MacUpdater, NsisUpdater } = await import('electron-updater')
    const Updater = { darwin: MacUpdater, win32: NsisUpdater }[String(process.platform)] ?? AppImageUpdater
    const updater = new Updater()
    // A package that was made without a feed has no such file, and the updater wants one for the name of its cache.
    if (!existsSync(join(process.resourcesPath, 'app-update.yml'))) {
      const config = join(chromiumFolder, 'app-update.yml')
      await writeAtomically(config, 'provider: generic\nupdaterCacheDirName: acuse-updater\n')
      updater.updateConfigPath = config
    }
    return updater
  },
  settings: () => DEFAULT_SETTINGS.desktop,
  ask: () => undefined,
  end: async () => undefined,
}

async function openDesktop(host: Host, local: LocalServer | undefined): Promise<void> {
  const { engine } = host
  const placements = await KeptPlacements.read(folder, warn)
  const windows = new Windows({ page, mainFolder: here, warn }, placements, engine)
  opener.window = (hash) => windows.open(hash)
  let settings = await engine.call('settings.get', {})
  const languageOf = ({ appearance }: Settings) => hostLanguage(appearance.language, app.getLocale())
  const show = (hash?: string) => windows.show(hash)
  const notices = nativeNotices({
    make: (words) => (Notification.isSupported() ? new Notification(words) : undefined),
    language: () => languageOf(settings),
    open: show,
  })

  const close = async (why?: 'update') => {
    windows.hide()
    await Promise.all([placements.flush(), local?.close(), discardFiles()])
    await host.close(why)
    opened?.remove()
  }
  updating.settings = () => settings.desktop
  updating.ask = (version) => notices.update(version)
  updating.end = async (install) => {
    await close('update')
    // The new version starts before this process has ended.
    app.releaseSingleInstanceLock()
    install()
    // The installer ends this process. If it cannot, the old version has to receive again.
    setTimeout(() => {
      app.relaunch()
      app.exit(0)
    }, INSTALLER_MS)
  }
  const trusted = (caller: Caller) => isOurPage(caller, windows, page.origin)
  answerCommands(
    ipcMain,
    trusted,
    ({ sender }) => windows.attached(sender.id)?.remote.dispatch ?? engine.dispatch,
  )
  ipcMain.on(RECONNECT, (event) => {
    if (trusted(event)) windows.attached(event.sender.id)?.pushes.reconnect()
  })
  const discardFiles = answerFiles({
    ipc: ipcMain,
    trusted,
    ask: async (name) => {
      const defaultPath = join(app.getPath('downloads'), basename(name))
      const { canceled, filePath } = await dialog.showSaveDialog({ defaultPath })
      return canceled ? undefined : filePath
    },
    async askFolder() {
      const { filePaths } = await dialog.showOpenDialog({ properties: ['openDirectory', 'createDirectory'] })
      return filePaths[0]
    },
  })
  quitOrderly(app, () => close(), warn)
  // SIGTERM of a supervisor and Ctrl+C quit as the menu does.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => app.quit())
  app.on('second-instance', (_event, given) => show(linkedRoute(given)))
  opener.link = (url) => show(linkedRoute([url]))
  app.on('activate', () => show())
  // The receiver needs no window. The user's setting decides whether the app goes on without one; default: the platform's custom.
  app.on('window-all-closed', () => {
    if (!staysOpen(settings, process.platform)) return app.quit()
    void sayOnce(chromiumFolder, () => notices.stays(process.platform))
  })

  engine.subscribe((push, payload) => {
    if (push === 'schedules.finished') notices.schedule(payload)
    if (push === 'filters.matched') notices.matched(payload)
    if (push !== 'settings.changed') return
    settings = payload
    nativeTheme.themeSource = settings.appearance.theme
  })
  nativeTheme.themeSource = settings.appearance.theme
  const ask = (asked: Promise<unknown>) => void asked.catch((error: unknown) => warn(String(error)))
  const acts: Readonly<Record<HostAct, () => void>> = {
    newWindow: () => windows.again(),
    attach: () =>
      ask(
        attachFromClipboard({
          version: app.getVersion(),
          language: () => languageOf(settings),
          clipboard,
          ask: async (words) =>
            (await dialog.showMessageBox({ ...words, cancelId: words.buttons.length - 1 })).response,
          open: (remote) => windows.open('', remote),
        }),
      ),
    copyAddress: () => ask(engine.call('status.get', {}).then(copyAddress)),
    startReceiver: () => ask(engine.call('receiver.start', {})),
    stopReceiver: () => ask(engine.call('receiver.stop', {})),
    showDataFolder: () => ask(shell.openPath(host.dataDir)),
  }
  const draw = (template: MenuItemConstructorOptions[]) =>
    Menu.setApplicationMenu(Menu.buildFromTemplate(template))
  await keepMenu({ engine, ipc: ipcMain, trusted, windows, acts, draw, warn })
  show(linkedRoute([...process.argv.slice(1), ...waitingLinks]))
  await keepTray({ engine, language: languageOf, show, acts, warn })
}

function copyAddress({ receiver }: HostStatus): void {
  if (receiver.state === 'listening') clipboard.writeText(receiver.url)
}

/** Shows the error, in the terminal too, and exits: nothing can run without the store. */
function giveUp(error: unknown): void {
  sayWhy(error)
  app.exit(3)
}

function sayWhy(error: unknown): void {
  const reason = messageOf(error)
  warn(`Acuse cannot start. ${reason}`)
  dialog.showErrorBox('Acuse', reason)
}

import { join } from 'node:path'
import {
  app,
  type BrowserWindow,
  dialog,
  ipcMain,
  Notification,
  nativeTheme,
  protocol,
  safeStorage,
  session,
  shell,
} from 'electron'
import type { ScheduleState } from '#contract/schedules.ts'
import type { Settings } from '#contract/settings.ts'
import { assemble, type Host, readWindow } from '#hosts/assemble.ts'
import { dataDir, ensureDataDir } from '#hosts/data-dir.ts'
import { type LocalServer, serveLocal } from '#hosts/local/server.ts'
import { openSecrets } from '#hosts/secrets-file.ts'
import { hostWorkers } from '#hosts/workers.ts'
import { keepMenu } from './app-menu.ts'
import { answerCommands, forwardPushes, isOurPage } from './ipc.ts'
import { KeptPlacement } from './kept-placement.ts'
import { menuLanguage } from './menu-labels.ts'
import { readOptions } from './options.ts'
import { pageSource, rendererFolder, SCHEME } from './page.ts'
import { quitOrderly } from './quit.ts'
import { scheduleNotices } from './schedule-notices.ts'
import { secretProtection } from './secrets.ts'
import { confine, denyPermissions, keepDownloads } from './security.ts'
import { serveFile } from './served-files.ts'
import { openWindow, showWindow } from './window.ts'

const warn = (message: string): void => console.error(message)
const here = import.meta.dirname
const options = readOptions(process.argv.slice(1))
const folder = dataDir(options.data)
const page = pageSource(process.env.ELECTRON_RENDERER_URL, app.isPackaged)

app.setName('Acuse')
app.enableSandbox()
protocol.registerSchemesAsPrivileged([{ scheme: SCHEME, privileges: { standard: true, secure: true } }])
// Chromium's files lie with ours, and so one Acuse runs per data folder rather than per person.
const chromiumFolder = join(folder, 'desktop')
ensureDataDir(folder)
ensureDataDir(chromiumFolder)
app.setPath('userData', chromiumFolder)

// 'ready' comes only after this module has been evaluated: awaiting it at the top level would wait for ever.
if (app.requestSingleInstanceLock()) void app.whenReady().then(boot).catch(giveUp)
else app.exit(0)

async function boot(): Promise<void> {
  const files = page.origin.startsWith(SCHEME)
    ? readWindow(rendererFolder(here), '/electron.html')
    : new Map()
  protocol.handle(SCHEME, (request) => serveFile(request, files))
  denyPermissions(session.defaultSession, page.origin)
  keepDownloads(session.defaultSession, page.origin, () => app.getPath('downloads'))
  app.on('web-contents-created', (_event, contents) =>
    confine(contents, page.url, (url) => void shell.openExternal(url)),
  )

  const { coding, ...secretStore } = await secretProtection(safeStorage, process.platform)
  const host = await assemble({
    dataDir: folder,
    workers: hostWorkers,
    secrets: await openSecrets(folder, coding),
    capabilities: { ...secretStore, nativeWindow: true, uiLinks: false },
    version: app.getVersion(),
    receiver: options.receiver,
    warn,
  })
  const local = await serveLocal({ engine: host.engine, dataDir: folder }).catch((error: unknown) => {
    warn(`The command line cannot reach this Acuse: ${String(error)}`)
    return undefined
  })
  await openDesktop(host, local)
}

async function openDesktop(host: Host, local: LocalServer | undefined): Promise<void> {
  const placement = new KeptPlacement(folder, warn)
  let window: BrowserWindow | undefined
  let opening: Promise<void> | undefined
  const present = () => (window?.isDestroyed() ? undefined : window)

  async function open(): Promise<void> {
    window = await openWindow(page, here, placement, warn)
    window.once('closed', forwardPushes(host.engine, window.webContents))
    opening = undefined
  }
  function show(): void {
    const shown = present()
    if (shown) showWindow(shown)
    else if (!opening) opening = open()
  }

  answerCommands(
    ipcMain,
    (caller) => isOurPage(caller, present()?.webContents.id, page.origin),
    host.engine.dispatch,
  )
  quitOrderly(
    app,
    async () => {
      present()?.hide()
      await Promise.all([placement.flush(), local?.close()])
      await host.close()
    },
    warn,
  )
  // A supervisor's SIGTERM and a Ctrl+C in the terminal leave by the same door as the menu.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => app.quit())
  app.on('second-instance', show)
  app.on('activate', show)
  // On macOS an app without windows goes on, and so does the receiver.
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })

  let { appearance } = await host.engine.call('settings.get', {})
  const notify = scheduleNotices({
    make: (words) => (Notification.isSupported() ? new Notification(words) : undefined),
    language: () => menuLanguage(appearance.language, app.getLocale()),
    open: (sweep) => {
      show()
      const place = sweep === undefined ? 'settings/connections' : `reconcile/sweep-${sweep}`
      void present()
        ?.loadURL(`${page.url}#/${place}`)
        .catch(() => undefined)
    },
  })
  host.engine.subscribe((push, payload) => {
    // The pair is one by the listener's type; a switch over the name alone does not narrow the payload.
    if (push === 'schedules.finished') notify(payload as ScheduleState)
    if (push !== 'settings.changed') return
    appearance = (payload as Settings).appearance
    nativeTheme.themeSource = appearance.theme
  })
  nativeTheme.themeSource = appearance.theme
  await keepMenu(host, page, present, warn)
  show()
}

/** Nothing can run without the store: say why, in the terminal too, and leave. */
function giveUp(error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error)
  warn(`Acuse cannot start. ${reason}`)
  dialog.showErrorBox('Acuse', reason)
  app.exit(3)
}

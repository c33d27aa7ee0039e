import { join } from 'node:path'
import { app, BrowserWindow, nativeTheme, screen } from 'electron'
import type { KeptPlacement } from './kept-placement.ts'
import { type PageSource, preloadFile } from './page.ts'
import { fitPlacement, MINIMUM } from './placement.ts'
import { reloadAfterCrash } from './revival.ts'

/** The page's own background (tokens.css), so that the window does not flash before its first frame. */
const BACKGROUND = { light: '#fbfbfc', dark: '#131519' } as const

/**
 * Opens the window where it was and loads the page into it. The window is shown with its first frame.
 * @param mainFolder folder of the built main process
 * @param warn takes a sentence when the page cannot be shown
 */
export async function openWindow(
  page: PageSource,
  mainFolder: string,
  placement: KeptPlacement,
  warn: (message: string) => void,
): Promise<BrowserWindow> {
  const kept = await placement.read()
  const home = screen.getPrimaryDisplay()
  const others = screen.getAllDisplays().filter((display) => display.id !== home.id)
  const window = new BrowserWindow({
    ...fitPlacement(
      kept,
      [home, ...others].map((display) => display.workArea),
    ),
    minWidth: MINIMUM.width,
    minHeight: MINIMUM.height,
    title: 'Acuse',
    icon: join(app.getAppPath(), 'resources/icon.png'),
    backgroundColor: BACKGROUND[nativeTheme.shouldUseDarkColors ? 'dark' : 'light'],
    show: false,
    webPreferences: {
      preload: preloadFile(mainFolder),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      // The spell checker fetches its dictionaries from the network.
      spellcheck: false,
    },
  })
  if (kept?.maximised) window.maximize()
  placement.follow(window)
  reloadAfterCrash(window.webContents, warn)
  window.once('ready-to-show', () => window.show())
  void window.loadURL(page.url).catch((error: unknown) => warn(`The window could not load: ${String(error)}`))
  return window
}

/** Brings the window to the front, out of the task bar if need be. */
export function showWindow(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}

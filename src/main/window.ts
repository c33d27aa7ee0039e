import { join } from 'node:path'
import { app, BrowserWindow, nativeTheme, screen } from 'electron'
import { type PageSource, preloadFile } from './page.ts'
import { fitPlacement, MINIMUM, type Placement, type WindowKind } from './placement.ts'
import { reloadAfterCrash } from './revival.ts'

/** The page's own background (tokens.css), so that the window does not flash before its first frame. */
const BACKGROUND = { light: '#fbfbfc', dark: '#131519' } as const

export interface WindowParts {
  readonly page: PageSource
  /** Folder of the built main process. */
  readonly mainFolder: string
  /** Takes a sentence when the page cannot be shown. */
  readonly warn: (message: string) => void
}

/**
 * Opens a window and loads the page into it. It is shown with its first frame.
 * @param hash of the page, which says what the window shows; empty for its beginning
 * @param kept where such a window was
 */
export function openWindow(
  { page, mainFolder, warn }: WindowParts,
  hash: string,
  kind: WindowKind,
  kept: Placement | undefined,
): BrowserWindow {
  const home = screen.getPrimaryDisplay()
  const others = screen.getAllDisplays().filter((display) => display.id !== home.id)
  const window = new BrowserWindow({
    ...fitPlacement(
      kept,
      [home, ...others].map((display) => display.workArea),
      kind,
    ),
    minWidth: MINIMUM[kind].width,
    minHeight: MINIMUM[kind].height,
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
  reloadAfterCrash(window.webContents, warn)
  window.once('ready-to-show', () => window.show())
  void window
    .loadURL(`${page.url}${hash}`)
    .catch((error: unknown) => warn(`The window could not load: ${String(error)}`))
  return window
}

/** Brings the window to the front, out of the task bar if need be. */
export function showWindow(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}

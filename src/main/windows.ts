import { join } from 'node:path'
import { app, BrowserWindow, nativeTheme, screen } from 'electron'
import type { Engine } from '#core/engine/engine.ts'
import type { KeptSocket } from '#core/kept-socket.ts'
import type { Remote } from '#hosts/remote.ts'
import { forwardPushes, forwardRemote } from './ipc.ts'
import { hashOf, type PageSource, preloadFile, windowKind } from './page.ts'
import type { KeptPlacements } from './placement.ts'
import { cascaded, fitPlacement, MINIMUM, type Placement, type WindowKind } from './placement.ts'
import { reloadAfterCrash } from './revival.ts'

/** Largest number of windows: a page that opens them in a loop must not exhaust the machine. */
const MOST = 30

interface Open {
  readonly window: BrowserWindow
  readonly kind: WindowKind
  /** The attached host that it shows; undefined: our own. */
  readonly attached?: { readonly remote: Remote; readonly pushes: KeptSocket } | undefined
}

/** All windows of the app. They share the host, unless they are attached to another one, and each has its own screen, filter and selection. */
export class Windows {
  readonly #parts: WindowParts
  readonly #placements: KeptPlacements
  readonly #engine: Pick<Engine, 'subscribe'>
  /** The most recently focused window comes first. */
  #open: readonly Open[] = []

  constructor(parts: WindowParts, placements: KeptPlacements, engine: Pick<Engine, 'subscribe'>) {
    this.#parts = parts
    this.#placements = placements
    this.#engine = engine
  }

  get front(): BrowserWindow | undefined {
    return this.#open[0]?.window
  }

  get list(): BrowserWindow | undefined {
    return this.#open.find(({ kind }) => kind === 'list')?.window
  }

  has(contentsId: number): boolean {
    return this.#of(contentsId) !== undefined
  }

  /** The attached host of a window; undefined for our own. */
  attached(contentsId: number | undefined): Open['attached'] {
    return contentsId === undefined ? undefined : this.#of(contentsId)?.attached
  }

  #of(contentsId: number): Open | undefined {
    return this.#open.find(({ window }) => !window.isDestroyed() && window.webContents.id === contentsId)
  }

  /**
   * Opens one more window.
   * @param hash its route, such as `#/delivery/42`; default: the start page
   * @param remote the host to show; default: our own
   */
  open(hash = '', remote?: Remote): void {
    if (this.#open.length >= MOST) return
    const kind = windowKind(hash)
    const { place, kept } = this.#placements.take(kind)
    const neighbour = this.front && !this.front.isMinimized() ? this.front.getNormalBounds() : undefined
    const window = openWindow(this.#parts, hash, kind, kept ?? (neighbour && cascaded(neighbour, kind)))
    const { webContents } = window
    const attached = remote && { remote, pushes: forwardRemote(remote, webContents) }
    const opened: Open = { window, kind, attached }
    if (remote) keepTitle(window, `Acuse · ${remote.origin}`)
    this.#open = [opened, ...this.#open]
    this.#placements.follow(kind, place, window)
    window.on('focus', () => {
      this.#open = [opened, ...this.#open.filter((one) => one !== opened)]
    })
    const silence = attached ? attached.pushes.close : forwardPushes(this.#engine, webContents)
    window.once('closed', () => {
      silence()
      this.#open = this.#open.filter((one) => one !== opened)
    })
  }

  again(): void {
    const contents = this.front?.webContents
    this.open(contents ? hashOf(contents.getURL()) : '', this.attached(contents?.id)?.remote)
  }

  /** Brings the last used list window of our own host to the front, or opens one. @param hash its new route; default: unchanged */
  show(hash?: string): void {
    const window = this.#open.find(({ kind, attached }) => kind === 'list' && !attached)?.window
    if (!window) {
      this.open(hash)
      return
    }
    showWindow(window)
    // A changed hash loads nothing; the page follows it (renderer/src/shared/live/route.ts).
    if (hash !== undefined) void window.loadURL(`${this.#parts.page.url}${hash}`).catch(() => undefined)
  }

  raise(window: BrowserWindow): void {
    showWindow(window)
  }

  hide(): void {
    for (const { window } of this.#open) window.hide()
  }
}

/** The page's own background (tokens.css), so that the window does not flash before its first frame. */
const BACKGROUND = { light: '#fbfbfc', dark: '#131519' } as const

interface WindowParts {
  readonly page: PageSource
  readonly mainFolder: string
  readonly warn: (message: string) => void
}

/** Opens a window, loads the page and shows it with its first frame. @param kept the saved placement */
function openWindow(
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

/** The page would set its own. */
function keepTitle(window: BrowserWindow, title: string): void {
  window.setTitle(title)
  window.on('page-title-updated', (event) => event.preventDefault())
}

function showWindow(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}

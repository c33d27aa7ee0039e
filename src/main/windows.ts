import type { BrowserWindow } from 'electron'
import type { Engine } from '#core/engine/engine.ts'
import { forwardPushes } from './ipc.ts'
import type { KeptPlacements } from './kept-placement.ts'
import { hashOf, windowKind } from './page.ts'
import { beside, type WindowKind } from './placement.ts'
import { openWindow, showWindow, type WindowParts } from './window.ts'

/** A page that opens windows in a loop must not take the machine with it. */
const MOST = 30

interface Open {
  readonly window: BrowserWindow
  readonly kind: WindowKind
}

/** All windows of the app. They share the host, and each has its own screen, filter and selection. */
export class Windows {
  readonly #parts: WindowParts
  readonly #placements: KeptPlacements
  readonly #engine: Pick<Engine, 'subscribe'>
  /** The one used last comes first. */
  #open: readonly Open[] = []

  constructor(parts: WindowParts, placements: KeptPlacements, engine: Pick<Engine, 'subscribe'>) {
    this.#parts = parts
    this.#placements = placements
    this.#engine = engine
  }

  /** The window used last; undefined when there is none. */
  get front(): BrowserWindow | undefined {
    return this.#open[0]?.window
  }

  /** The whole window used last; undefined when there is none. */
  get list(): BrowserWindow | undefined {
    return this.#open.find(({ kind }) => kind === 'list')?.window
  }

  /** Whether these web contents are those of one of our windows. */
  has(contentsId: number): boolean {
    return this.#open.some(({ window }) => !window.isDestroyed() && window.webContents.id === contentsId)
  }

  /** Opens one more window. @param hash what it shows, such as `#/delivery/42`; the beginning when it is left out */
  open(hash = ''): void {
    if (this.#open.length >= MOST) return
    const kind = windowKind(hash)
    const { place, kept } = this.#placements.take(kind)
    const neighbour = this.front && !this.front.isMinimized() ? this.front.getNormalBounds() : undefined
    const window = openWindow(this.#parts, hash, kind, kept ?? (neighbour && beside(neighbour, kind)))
    const { webContents } = window
    const opened: Open = { window, kind }
    this.#open = [opened, ...this.#open]
    this.#placements.follow(kind, place, window)
    window.on('focus', () => {
      this.#open = [opened, ...this.#open.filter((one) => one !== opened)]
    })
    const silence = forwardPushes(this.#engine, webContents)
    window.once('closed', () => {
      silence()
      this.#open = this.#open.filter((one) => one !== opened)
    })
  }

  /** Opens what the window used last shows once more. */
  again(): void {
    this.open(this.front ? hashOf(this.front.webContents.getURL()) : '')
  }

  /** Brings the whole window that was used last to the front, or opens one. @param hash where it goes; it stays where it is without one */
  show(hash?: string): void {
    const window = this.list
    if (!window) {
      this.open(hash)
      return
    }
    showWindow(window)
    // A changed hash is a move within the document: nothing is loaded, and the page follows it (stores/route.ts).
    if (hash !== undefined) void window.loadURL(`${this.#parts.page.url}${hash}`).catch(() => undefined)
  }

  hide(): void {
    for (const { window } of this.#open) window.hide()
  }
}

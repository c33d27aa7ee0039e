import { join } from 'node:path'
import type { BrowserWindow } from 'electron'
import { readIfThere, writeAtomically } from '#hosts/atomic-file.ts'
import { type Placement, type Placements, readPlacements, type WindowKind } from './placement.ts'

/** Debounce: dragging an edge sends dozens of events a second. */
const SETTLE_MS = 400
const EVENTS = ['resize', 'move', 'maximize', 'unmaximize'] as const

/** Keeps the windows' placements in a file of the data folder across starts; the second window gets the second placement again. */
export class KeptPlacements {
  readonly #path: string
  readonly #warn: (message: string) => void
  readonly #taken = { list: new Set<number>(), delivery: new Set<number>() }
  #placements: Record<WindowKind, (Placement | null)[]>
  #timer: ReturnType<typeof setTimeout> | undefined
  #due = false

  private constructor(path: string, kept: Placements, warn: (message: string) => void) {
    this.#path = path
    this.#placements = { list: [...kept.list], delivery: [...kept.delivery] }
    this.#warn = warn
  }

  static async read(folder: string, warn: (message: string) => void): Promise<KeptPlacements> {
    const path = join(folder, 'window.json')
    return new KeptPlacements(path, readPlacements(await readIfThere(path).catch(() => undefined)), warn)
  }

  /** Takes the lowest index of a kind that no open window has. @returns the index, and its saved placement */
  take(kind: WindowKind): { readonly place: number; readonly kept: Placement | undefined } {
    let place = 0
    while (this.#taken[kind].has(place)) place += 1
    this.#taken[kind].add(place)
    return { place, kept: this.#placements[kind][place] ?? undefined }
  }

  /** Records a window's moves until it closes, which frees its index. */
  follow(kind: WindowKind, place: number, window: BrowserWindow): void {
    const note = () => {
      if (window.isMinimized() || window.isFullScreen()) return
      const list = this.#placements[kind]
      while (list.length < place) list.push(null)
      list[place] = { bounds: window.getNormalBounds(), maximised: window.isMaximized() }
      this.#due = true
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => void this.flush(), SETTLE_MS)
    }
    // Electron has an overload per event, and none for a variable name.
    const on = (event: string) => window.on(event as 'resize', note)
    for (const event of EVENTS) on(event)
    window.once('closed', () => this.#taken[kind].delete(place))
  }

  /** Writes pending placements; a failure is only a warning. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    if (!this.#due) return
    this.#due = false
    await writeAtomically(this.#path, `${JSON.stringify(this.#placements)}\n`).catch((error: unknown) =>
      this.#warn(`The place of a window could not be kept: ${String(error)}`),
    )
  }
}

import { join } from 'node:path'
import type { BrowserWindow } from 'electron'
import { readIfThere, writeAtomically } from '#hosts/atomic-file.ts'
import { type Placement, type Placements, readPlacements, type WindowKind } from './placement.ts'

/** Dragging an edge sends dozens of events a second; the last one counts. */
const SETTLE_MS = 400
const EVENTS = ['resize', 'move', 'maximize', 'unmaximize'] as const

/** Where the windows are, from one start to the next, in a file of the data folder. The second window comes back as the second. */
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

  /** Takes the first place of a kind that no open window has. @returns its number, and where a window was there */
  take(kind: WindowKind): { readonly place: number; readonly kept: Placement | undefined } {
    let place = 0
    while (this.#taken[kind].has(place)) place += 1
    this.#taken[kind].add(place)
    return { place, kept: this.#placements[kind][place] ?? undefined }
  }

  /** Keeps what becomes of a window from now on; its place is free again when it is closed. */
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
    // Electron types each event apart, so that a loop over their names fits none of the overloads.
    const on = (event: string) => window.on(event as 'resize', note)
    for (const event of EVENTS) on(event)
    window.once('closed', () => this.#taken[kind].delete(place))
  }

  /** Writes what is still due; losing a placement is worth a warning and no more. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    if (!this.#due) return
    this.#due = false
    await writeAtomically(this.#path, `${JSON.stringify(this.#placements)}\n`).catch((error: unknown) =>
      this.#warn(`The place of a window could not be kept: ${String(error)}`),
    )
  }
}

import { join } from 'node:path'
import type { BrowserWindow } from 'electron'
import { readIfThere, writeAtomically } from '#hosts/atomic-file.ts'
import { type Placement, readPlacement } from './placement.ts'

/** Dragging an edge sends dozens of events a second; the last one counts. */
const SETTLE_MS = 400
const EVENTS = ['resize', 'move', 'maximize', 'unmaximize'] as const

/** The window's placement from one start to the next, in a file of the data folder. */
export class KeptPlacement {
  readonly #path: string
  readonly #warn: (message: string) => void
  #timer: ReturnType<typeof setTimeout> | undefined
  #due: Placement | undefined

  constructor(folder: string, warn: (message: string) => void) {
    this.#path = join(folder, 'window.json')
    this.#warn = warn
  }

  /** @returns undefined at the first start, or when the file says nothing usable */
  async read(): Promise<Placement | undefined> {
    return readPlacement(await readIfThere(this.#path).catch(() => undefined))
  }

  /** Keeps what becomes of the window from now on. */
  follow(window: BrowserWindow): void {
    const note = () => {
      if (window.isMinimized() || window.isFullScreen()) return
      this.#due = { bounds: window.getNormalBounds(), maximised: window.isMaximized() }
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => void this.flush(), SETTLE_MS)
    }
    // Electron types each event apart, so that a loop over their names fits none of the overloads.
    const on = (event: string) => window.on(event as 'resize', note)
    for (const event of EVENTS) on(event)
  }

  /** Writes what is still due; losing a placement is worth a warning and no more. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    const due = this.#due
    this.#due = undefined
    if (!due) return
    await writeAtomically(this.#path, `${JSON.stringify(due)}\n`).catch((error: unknown) =>
      this.#warn(`The window's place could not be kept: ${String(error)}`),
    )
  }
}

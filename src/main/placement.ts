import { join } from 'node:path'
import type { BrowserWindow } from 'electron'
import { z } from 'zod'
import { readIfThere, writeAtomically } from '#hosts/atomic-file.ts'

export interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** A window's placement. `bounds` are those of the window when it is neither maximised nor full screen. */
export interface Placement {
  readonly bounds: Rectangle
  readonly maximised: boolean
}

/** `list`: a window with the list; `delivery`: a window of a single delivery. */
export type WindowKind = 'list' | 'delivery'

/** Placements of the first, second and further windows of each kind; null for a window that has not moved yet. */
export type Placements = Readonly<Record<WindowKind, readonly (Placement | null)[]>>

export const MINIMUM = {
  list: { width: 880, height: 560 },
  delivery: { width: 420, height: 400 },
} as const satisfies Record<WindowKind, object>
const DEFAULT_SIZE = {
  list: { width: 1440, height: 900 },
  delivery: { width: 760, height: 860 },
} as const satisfies Record<WindowKind, object>
/** Least part of the title bar, px, that must be on a screen, so that the user can drag the window back. */
const GRIP = { width: 120, height: 24 } as const
/** Offset of a new window from the one that opened it, px. */
const OFFSET = 32

const side = z.int().min(-100_000).max(100_000)
const placement = z.object({
  bounds: z.object({ x: side, y: side, width: side, height: side }),
  maximised: z.boolean(),
})
const several = z.array(placement.nullable()).max(50)
const placements = z.union([
  z.object({ list: several, delivery: several }),
  // Format of versions with a single window.
  placement.transform((only): Placements => ({ list: [only], delivery: [] })),
])

const NOWHERE: Placements = { list: [], delivery: [] }

/** @returns empty lists for unusable text: windows then open as at the first start */
export function readPlacements(text: string | undefined): Placements {
  if (text === undefined) return NOWHERE
  try {
    return placements.safeParse(JSON.parse(text)).data ?? NOWHERE
  } catch {
    return NOWHERE
  }
}

/** Placement of a new window, shifted from another one so that both are visible. */
export function cascaded({ x, y }: Rectangle, kind: WindowKind): Placement {
  return { bounds: { x: x + OFFSET, y: y + OFFSET, ...DEFAULT_SIZE[kind] }, maximised: false }
}

/**
 * Fits a window to the present screens, primary first: a screen may have been unplugged or rotated since the placement was saved.
 * @returns bounds inside one screen; without x and y when the system should choose the position
 */
export function fitPlacement(
  kept: Placement | undefined,
  screens: readonly Rectangle[],
  kind: WindowKind = 'list',
): { width: number; height: number; x?: number; y?: number } {
  const home = (kept && screens.find((screen) => grips(kept.bounds, screen))) ?? screens[0]
  const usual = DEFAULT_SIZE[kind]
  const least = MINIMUM[kind]
  const wanted = kept?.bounds ?? usual
  if (!home) return { width: usual.width, height: usual.height }
  const width = clamp(wanted.width, Math.min(least.width, home.width), home.width)
  const height = clamp(wanted.height, Math.min(least.height, home.height), home.height)
  if (!kept || !grips(kept.bounds, home)) return { width, height }
  return {
    width,
    height,
    x: clamp(kept.bounds.x, home.x, home.x + home.width - width),
    y: clamp(kept.bounds.y, home.y, home.y + home.height - height),
  }
}

function grips(window: Rectangle, screen: Rectangle): boolean {
  const across = Math.min(window.x + window.width, screen.x + screen.width) - Math.max(window.x, screen.x)
  const below = screen.y + screen.height - window.y
  return across >= GRIP.width && window.y >= screen.y && below >= GRIP.height
}

const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high)

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

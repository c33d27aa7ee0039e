import { z } from 'zod'

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

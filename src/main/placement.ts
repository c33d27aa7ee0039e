import { z } from 'zod'

export interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Where a window was. `bounds` are those of the window when neither maximised nor full screen. */
export interface Placement {
  readonly bounds: Rectangle
  readonly maximised: boolean
}

/** `list`: the whole window; `delivery`: one delivery alone. */
export type WindowKind = 'list' | 'delivery'

/** Where windows of a kind were: the first one, the second one, and so on; null where that one was not moved yet. */
export type Placements = Readonly<Record<WindowKind, readonly (Placement | null)[]>>

export const MINIMUM = {
  list: { width: 880, height: 560 },
  delivery: { width: 420, height: 400 },
} as const satisfies Record<WindowKind, object>
const DEFAULT_SIZE = {
  list: { width: 1440, height: 900 },
  delivery: { width: 760, height: 860 },
} as const satisfies Record<WindowKind, object>
/** A strip of the title bar this large must be on a screen, or the window cannot be dragged back. */
const GRIP = { width: 120, height: 24 } as const
/** A further window stands so far beside the one that it came from, px. */
const BESIDE = 32

const side = z.int().min(-100_000).max(100_000)
const placement = z.object({
  bounds: z.object({ x: side, y: side, width: side, height: side }),
  maximised: z.boolean(),
})
const several = z.array(placement.nullable()).max(50)
const placements = z.union([
  z.object({ list: several, delivery: several }),
  // As it was while there was one window.
  placement.transform((only): Placements => ({ list: [only], delivery: [] })),
])

const NOWHERE: Placements = { list: [], delivery: [] }

/** @returns none when the text says nothing usable: windows then open where they would the first time */
export function readPlacements(text: string | undefined): Placements {
  if (text === undefined) return NOWHERE
  try {
    return placements.safeParse(JSON.parse(text)).data ?? NOWHERE
  } catch {
    return NOWHERE
  }
}

/** Where a window opens that was not there before: beside another one, so that both are seen. */
export function beside({ x, y }: Rectangle, kind: WindowKind): Placement {
  return { bounds: { x: x + BESIDE, y: y + BESIDE, ...DEFAULT_SIZE[kind] }, maximised: false }
}

/**
 * Fits a window to the screens there are now, the primary one first: one may have been unplugged or turned since the placement was kept.
 * @returns bounds inside one screen; without a position when the system should choose one
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

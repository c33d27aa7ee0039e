import { z } from 'zod'

export interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Where the window was. `bounds` are those of the window when neither maximised nor full screen. */
export interface Placement {
  readonly bounds: Rectangle
  readonly maximised: boolean
}

export const MINIMUM = { width: 880, height: 560 } as const
const DEFAULT_SIZE = { width: 1440, height: 900 } as const
/** A strip of the title bar this large must be on a screen, or the window cannot be dragged back. */
const GRIP = { width: 120, height: 24 } as const

const side = z.int().min(-100_000).max(100_000)
const placement = z.object({
  bounds: z.object({ x: side, y: side, width: side, height: side }),
  maximised: z.boolean(),
})

/** @returns undefined when the text is no placement: the window then opens where it would the first time */
export function readPlacement(text: string | undefined): Placement | undefined {
  if (text === undefined) return
  try {
    return placement.safeParse(JSON.parse(text)).data
  } catch {
    return
  }
}

/**
 * Fits a window to the screens there are now: a screen may have been unplugged or turned since the placement was kept.
 * @param screens work areas, the primary one first
 * @returns bounds inside one screen; without a position when the system should choose one
 */
export function fitPlacement(
  kept: Placement | undefined,
  screens: readonly Rectangle[],
): { width: number; height: number; x?: number; y?: number } {
  const home = (kept && screens.find((screen) => grips(kept.bounds, screen))) ?? screens[0]
  const wanted = kept?.bounds ?? DEFAULT_SIZE
  if (!home) return { width: DEFAULT_SIZE.width, height: DEFAULT_SIZE.height }
  const width = clamp(wanted.width, Math.min(MINIMUM.width, home.width), home.width)
  const height = clamp(wanted.height, Math.min(MINIMUM.height, home.height), home.height)
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

import { useSyncExternalStore } from 'react'
import { type Dock, useLayout } from './layout.ts'

/** Where details stand: as they were docked, or `over` the list. */
export type DetailPlace = Dock | 'over'

/** Below this width of the window, px, list and details side by side are both too narrow to read. */
const BESIDE_PX = 800
/** Below this height, px, the one above the other are both too low. */
const BELOW_PX = 560

/** Where there is room for the details, given where they are docked and the size of the window in px. */
export function placeFor(dock: Dock, width: number, height: number): DetailPlace {
  if (width >= BESIDE_PX) return dock
  return height >= BELOW_PX ? 'bottom' : 'over'
}

function onResize(changed: () => void): () => void {
  addEventListener('resize', changed)
  return () => removeEventListener('resize', changed)
}

/** Where the details stand now; changes with the window only when the place does. */
export function useDetailPlace(): DetailPlace {
  const dock = useLayout((s) => s.dock)
  return useSyncExternalStore(onResize, () => placeFor(dock, innerWidth, innerHeight))
}

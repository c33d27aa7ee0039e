import { create } from 'zustand'
import { focusGrid } from './focus.ts'

export type ScreenName =
  | 'stream'
  | 'documents'
  | 'reconcile'
  | 'replays'
  | 'sandbox'
  | 'plugins'
  | 'drift'
  | 'settings'

export interface ScreenProps {
  /** A section of the screen, such as `retention` of Settings; null for the top. */
  readonly section: string | null
}

interface Place extends ScreenProps {
  /** Screen name from the hash; it may not exist, see `routeNamed`. */
  readonly screen: string
}
interface RouteStore extends Place {
  go(screen: ScreenName, section?: string): void
}

function placeOf(hash: string): Place {
  const [screen, ...section] = hash.replace(/^#\/?|\?.*$/gs, '').split('/')
  return { screen: screen ?? '', section: section.join('/') || null }
}

/** Id of the delivery in a single-delivery window, `#/delivery/42`; null anywhere else. */
export const aloneId = ({ screen, section }: Place): number | null =>
  screen === 'delivery' && section !== null && /^[1-9]\d{0,14}$/.test(section) ? Number(section) : null

/** The location hash stores the place, so that a reload in the browser host restores it. */
export const useRoute = create<RouteStore>()(() => ({
  ...placeOf(globalThis.location?.hash ?? ''),
  go: (screen, section) => {
    const there = placeOf(globalThis.location.hash)
    // The place does not change, so the rest of the hash (place.ts) is kept.
    if (there.screen === screen && there.section === (section ?? null)) return
    globalThis.location.hash = section ? `#/${screen}/${section}` : `#/${screen}`
    // What led here goes with its screen, and would take the focus along.
    if (screen === 'stream') focusGrid()
  },
}))

/** Subscribes to changes of the hash, Back and Forward included. */
export function followHash(): void {
  const follow = () => useRoute.setState(placeOf(globalThis.location.hash))
  // The hash held a start link's token when this file was loaded.
  follow()
  globalThis.addEventListener('hashchange', follow)
}

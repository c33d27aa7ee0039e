import { create } from 'zustand'

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
  /** A part of the screen, as `retention` of Settings; null for its beginning. */
  readonly section: string | null
}

interface Place extends ScreenProps {
  /** As the hash has it, which may name no screen at all; see `routeNamed`. */
  readonly screen: string
}
interface RouteStore extends Place {
  go(screen: ScreenName, section?: string): void
}

function placeOf(hash: string): Place {
  const [screen, ...section] = hash.replace(/^#\/?|\?.*$/gs, '').split('/')
  return { screen: screen ?? '', section: section.join('/') || null }
}

/** The only delivery that a window of one delivery shows, `#/delivery/42`; null for any other place. */
export const aloneId = ({ screen, section }: Place): number | null =>
  screen === 'delivery' && section !== null && /^[1-9]\d{0,14}$/.test(section) ? Number(section) : null

/** Kept in the location hash, so that a reload of the browser host comes back to the same place. */
export const useRoute = create<RouteStore>()(() => ({
  ...placeOf(globalThis.location?.hash ?? ''),
  go: (screen, section) => {
    const there = placeOf(globalThis.location.hash)
    // Already there: what the hash says besides (place.ts) stands.
    if (there.screen === screen && there.section === (section ?? null)) return
    globalThis.location.hash = section ? `#/${screen}/${section}` : `#/${screen}`
  },
}))

/** Follows the hash from now on, Back and Forward included. */
export function followHash(): void {
  const follow = () => useRoute.setState(placeOf(globalThis.location.hash))
  // A start link's token stood there when this file was loaded.
  follow()
  globalThis.addEventListener('hashchange', follow)
}

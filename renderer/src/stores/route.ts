import { create } from 'zustand'

export const SCREENS = ['stream', 'sandbox', 'settings'] as const
export type Screen = (typeof SCREENS)[number]

interface Place {
  readonly screen: Screen
  /** A part of the screen, as `retention` of Settings; null for its beginning. */
  readonly section: string | null
}
interface Route extends Place {
  go(screen: Screen, section?: string): void
}

/** The place that a location hash such as `#/settings/retention` names; anything unknown is the stream. */
function placeOf(hash: string): Place {
  const [screen, section] = hash.replace(/^#\/?/, '').split('/')
  const known = SCREENS.find((s) => s === screen)
  return known ? { screen: known, section: section || null } : { screen: 'stream', section: null }
}

/** Kept in the location hash, so that a reload of the browser host comes back to the same place. */
export const useRoute = create<Route>()(() => ({
  ...placeOf(globalThis.location?.hash ?? ''),
  go: (screen, section) => {
    globalThis.location.hash = section ? `#/${screen}/${section}` : `#/${screen}`
  },
}))

/** Follows the hash from now on, Back and Forward included. */
export function followHash(): void {
  globalThis.addEventListener('hashchange', () => useRoute.setState(placeOf(globalThis.location.hash)))
}

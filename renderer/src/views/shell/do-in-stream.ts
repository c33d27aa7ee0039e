import { routeNamed } from '@/routes.tsx'
import { useRoute } from '@/stores/route.ts'

const isThere = (): boolean => routeNamed(useRoute.getState().screen).name === 'stream'

/** Frames in which the screen of the list should have been drawn. */
const PATIENCE = 120

/** A function once the list's screen is there, wherever one is now. */
export function inStream(act: () => void): () => void {
  return () => {
    if (!isThere()) useRoute.getState().go('stream')
    let frames = 0
    const tryNow = () => {
      // Other screens have a filter too: theirs is gone a frame after the route has changed.
      if (isThere() && document.querySelector('[data-filter]')) requestAnimationFrame(() => setTimeout(act))
      else if (++frames < PATIENCE) requestAnimationFrame(tryNow)
    }
    tryNow()
  }
}

/** Presses a key of the list for the person: what it does is written in one place (use-stream-keys.ts). */
export const pressInStream = (key: string, more: KeyboardEventInit = {}): (() => void) =>
  inStream(() => {
    document.body.dispatchEvent(
      new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }),
    )
  })

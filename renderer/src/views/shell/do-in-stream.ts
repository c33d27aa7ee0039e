import { useRoute } from '@/stores/route.ts'

/** Frames in which the screen of the list should have been drawn. */
const PATIENCE = 120

/** A function once the list's screen is there, wherever one is now. */
export function inStream(act: () => void): () => void {
  return () => {
    const { screen, go } = useRoute.getState()
    if (screen !== 'stream' && screen !== '') go('stream')
    let frames = 0
    const tryNow = () => {
      if (document.querySelector('[data-filter]')) setTimeout(act)
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

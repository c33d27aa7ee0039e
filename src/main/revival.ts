import type { WebContents } from 'electron'

const ATTEMPTS = 3
const WITHIN_MS = 60_000

/** Reloads a page whose process died, at most ATTEMPTS times in WITHIN_MS; the receiver runs meanwhile. */
export function reloadAfterCrash(
  contents: Pick<WebContents, 'on' | 'reload' | 'isDestroyed'>,
  warn: (message: string) => void,
  now: () => number = Date.now,
): void {
  let deaths: readonly number[] = []
  contents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit' || contents.isDestroyed()) return
    deaths = [...deaths.filter((at) => now() - at < WITHIN_MS), now()]
    if (deaths.length > ATTEMPTS) {
      warn(
        `The window's process ended ${deaths.length} times in a minute (${reason}). Acuse still receives deliveries; reload the window from the menu.`,
      )
      return
    }
    warn(`The window's process ended (${reason}) and restarts. Acuse kept receiving deliveries.`)
    contents.reload()
  })
}

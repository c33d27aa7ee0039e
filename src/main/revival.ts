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
        `The window's process ended ${deaths.length} times in a minute (${reason}). Deliveries are still taken; reload it from the menu.`,
      )
      return
    }
    warn(`The window's process ended (${reason}) and is started again. Deliveries were taken meanwhile.`)
    contents.reload()
  })
}

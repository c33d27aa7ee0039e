import type { App } from 'electron'

/** Time for requests in flight; after that a supervisor or user would kill the process. */
const LIMIT_MS = 5_000
/** "Could not do it", as on the command line. */
const FAILED = 3

/**
 * Closes the host before the app quits: it delays the first request to quit until the host is closed. A second request meanwhile
 * changes nothing. A failure, or a close that takes longer than `limitMs`, is reported and exits with 3.
 */
export function quitOrderly(
  app: Pick<App, 'on' | 'exit'>,
  close: () => Promise<void>,
  warn: (message: string) => void,
  limitMs = LIMIT_MS,
): void {
  let closing = false
  app.on('before-quit', (event) => {
    event.preventDefault()
    if (closing) return
    closing = true
    const limit = setTimeout(() => {
      warn(`Acuse could not finish within ${limitMs} ms and stops now.`)
      app.exit(FAILED)
    }, limitMs)
    close().then(
      () => app.exit(0),
      (error: unknown) => {
        clearTimeout(limit)
        warn(`Acuse could not close its store: ${String(error)}`)
        app.exit(FAILED)
      },
    )
  })
}

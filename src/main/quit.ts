import type { App } from 'electron'

/** What is in flight gets this long; a supervisor or an impatient person would kill us next. */
const LIMIT_MS = 5_000
/** "Could not do it", as on the command line. */
const FAILED = 3

/**
 * Makes every way out an orderly one: the first request to quit is held back, the host is closed, then the process exits. A second
 * request while closing changes nothing. A failure is said and exits with 3, and so does what takes longer than `limitMs`.
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

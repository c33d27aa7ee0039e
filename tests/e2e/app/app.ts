import { test as base, expect, type Page } from '@playwright/test'
import { connectLocal, type LocalClient } from '#hosts/local/client.ts'
import { type RunningHost, startHost } from '../../support/host.ts'
import { raw, requestBytes } from '../../support/raw-client.ts'

export interface App {
  readonly host: RunningHost
  readonly client: LocalClient
  /** Sends exactly this request over a raw socket. @returns the status */
  deliver(method: string, path: string, body: string | Buffer, headers?: readonly string[]): Promise<number>
}

/** Test with the built product on an empty data folder, and the window of its browser host. */
export const test = base.extend<{ app: App; window: Page; hostArgs: readonly string[] }>({
  hostArgs: [[], { option: true }],
  app: async ({ hostArgs }, use) => {
    const host = await startHost({ args: hostArgs })
    const client = await connectLocal(host.dataDir)
    if (!client) throw new Error('the host does not answer on its local socket')
    const port = Number(new URL(host.receiverUrl).port)
    await use({
      host,
      client,
      async deliver(method, path, body, headers = ['Content-Type', 'application/json']) {
        const { answers } = await raw({ port }, requestBytes(method, path, body, headers))
        return answers[0]?.status ?? 0
      },
    })
    await client.close()
    await host.stop()
  },
  window: async ({ app, page }, use) => {
    const problems = problemsOf(page)
    await page.goto(app.host.uiUrl)
    await use(page)
    expect(problems).toEqual([])
  },
})
export { expect }

/** Collects a page's errors from now on: reports of the Content Security Policy and uncaught errors. */
export function problemsOf(page: Page): string[] {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  return problems
}

export const list = (window: Page) => window.getByRole('grid', { name: /newest first/ })

export const rows = (window: Page) => list(window).locator('[role="row"][aria-selected]')

/** Pastes a filter as a user does and waits until the list shows `count` rows. */
export async function filterTo(window: Page, filter: string, count: number): Promise<void> {
  // Retry, since the window may not listen to keys yet.
  await expect(async () => {
    await window.keyboard.press('Escape')
    await window.keyboard.press('/')
    await expect(window.getByRole('combobox')).toBeFocused({ timeout: 1_000 })
  }).toPass()
  await window.keyboard.press('ControlOrMeta+a')
  await window.keyboard.insertText(filter)
  await window.keyboard.press('Enter')
  await expect(list(window)).toHaveAttribute('aria-rowcount', String(count + 1))
}

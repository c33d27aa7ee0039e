import { test as base, type CDPSession, expect, type Page } from '@playwright/test'
import { WindowHost } from '../../support/window-host.ts'
import { attachHost } from './window.ts'

interface Kept {
  readonly page: Page
  readonly session: CDPSession
}

/**
 * One host and one page for all tests of a worker; before each test the host is reset and the page is emptied. A context and a compiled
 * window per test would cost more than the tests. A test that adds scripts or needs a fresh page uses `cold`.
 */
export const test = base.extend<{ host: WindowHost }, { served: WindowHost; kept: Kept }>({
  served: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from this pattern.
    async ({}, use) => {
      const served = await WindowHost.start()
      await use(served)
      await served.close()
    },
    { scope: 'worker' },
  ],
  kept: [
    async ({ browser, served }, use) => {
      const page = await browser.newPage()
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: served.origin })
      attachHost(page, served)
      await use({ page, session: await page.context().newCDPSession(page) })
      await page.context().close()
    },
    { scope: 'worker' },
  ],
  host: ({ served }, use) => use(served),
  page: async ({ kept: { page, session }, viewport, served }, use) => {
    // Leave the window first: a new hash alone would not reload it, and it may store data while it closes.
    await page.goto('about:blank')
    await session.send('Storage.clearDataForOrigin', { origin: served.origin, storageTypes: 'all' })
    await page.setViewportSize(viewport ?? { width: 1_280, height: 800 })
    await page.mouse.move(-1, -1)
    await use(page)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.removeAllListeners(undefined, { behavior: 'ignoreErrors' })
  },
})

export const cold = test.extend({
  page: async ({ browser, viewport, served }, use) => {
    const page = await browser.newPage(viewport ? { viewport } : {})
    attachHost(page, served)
    await use(page)
    await page.context().close()
  },
})
export { expect }

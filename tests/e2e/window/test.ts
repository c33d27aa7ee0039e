import { test as base, type CDPSession, expect, type Page } from '@playwright/test'
import { WindowHost } from '../../support/window-host.ts'
import { attachHost } from './window.ts'

interface Kept {
  readonly page: Page
  readonly session: CDPSession
}

/**
 * One host and one page for all tests of a worker: the host is reset and the page is emptied before each. A context of its own for every
 * test, and a window that is compiled anew in each, cost more than the tests do. What adds scripts or has to be cold takes `cold`.
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
    // Away from the window first: a location that differs in its hash only would not load it anew, and it may store something as it goes.
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

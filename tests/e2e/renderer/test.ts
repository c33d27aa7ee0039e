import { test as base, type CDPSession, expect, type Page } from '@playwright/test'

interface Kept {
  readonly page: Page
  readonly session: CDPSession
}

/**
 * One page for all tests of a worker, emptied before each: a context of its own for every test, and a window that is compiled anew in
 * each, cost more than the tests do. What adds scripts or has to be cold takes `test` from Playwright itself.
 */
export const test = base.extend<object, { kept: Kept }>({
  kept: [
    async ({ browser }, use, { project }) => {
      const page = await browser.newPage({ baseURL: project.use.baseURL ?? '' })
      await use({ page, session: await page.context().newCDPSession(page) })
      await page.context().close()
    },
    { scope: 'worker' },
  ],
  page: async ({ kept: { page, session }, viewport, baseURL }, use) => {
    // Away from the window first: a location that differs in its hash only would not load it anew, and it may store something as it goes.
    await page.goto('about:blank')
    const { origin } = new URL(baseURL ?? '')
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
    await page.setViewportSize(viewport ?? { width: 1_280, height: 800 })
    await page.mouse.move(-1, -1)
    await use(page)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.removeAllListeners(undefined, { behavior: 'ignoreErrors' })
  },
})
export { expect }

import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { editor, log, openPart } from './sandbox-window.ts'
import { openWindow } from './window.ts'

/** Rules broken, each with the first element that breaks it. */
async function broken(page: Page, within?: string): Promise<string[]> {
  // What fades in is judged when it is there.
  await page.waitForTimeout(200)
  const axe = new AxeBuilder({ page })
  const { violations } = await (within === undefined ? axe : axe.include(within)).analyze()
  return violations.map((v) => `${v.id}: ${v.nodes.length} × ${v.nodes[0]?.html.slice(0, 200)}`)
}

const PARTS = ['emit', 'scenarios', 'operations', 'traffic', 'subscriptions', 'laboratory', 'keys'] as const

/** Every state costs seconds of a busy machine: a low window has fewer rows to go through, and all of their sorts. */
test.use({ viewport: { width: 1180, height: 620 } })

for (const [theme, language] of [
  ['light', 'en'],
  ['dark', 'es'],
  ['light', 'es'],
  ['dark', 'en'],
] as const) {
  test(`axe finds nothing in the parts of the sandbox, ${theme}, ${language}`, async ({ page }) => {
    test.setTimeout(120_000)
    await openPart(page, 'emit', { theme, language, sandbox: 40 })
    for (const part of PARTS) {
      await page.evaluate((name) => {
        location.hash = `#/sandbox/${name}`
      }, part)
      await page.waitForTimeout(150)
      expect([part, await broken(page)]).toEqual([part, []])
    }
    await page.evaluate(() => {
      location.hash = '#/sandbox/log'
    })
    await log(page).focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    expect(await broken(page)).toEqual([])
  })
}

for (const theme of ['light', 'dark']) {
  test(`axe finds nothing in what the sandbox asks and warns, ${theme}`, async ({ page }) => {
    test.setTimeout(120_000)
    await openWindow(page, { count: 1, theme })
    await page.keyboard.press('2')
    await expect(page.getByRole('button', { name: 'Start the sandbox' })).toBeVisible()
    expect(await broken(page)).toEqual([])
    await page.getByRole('button', { name: 'Start the sandbox' }).click()
    await editor(page).fill('{"Event": 1')
    expect(await broken(page)).toEqual([])
    await editor(page).fill('{"Event":"factura.created"}')
    await page.getByRole('button', { name: /^Send/ }).click()
    // What is behind an alert dialog is hidden from everybody, which axe knows of dialogs only.
    expect(await broken(page, '[role="alertdialog"]')).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /Plan Corporativo/ }).click()
    await page.getByRole('radio', { name: 'Another' }).click()
    expect(await broken(page)).toEqual([])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Subscriptions' }).click()
    await page.getByRole('button', { name: 'Add subscription' }).first().click()
    await page.getByRole('button', { name: 'Add header' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    expect(await broken(page)).toEqual([])
  })
}

import { broken } from '../../support/axe.ts'
import { editor, log, openPart } from './sandbox.ts'
import { expect, test } from './test.ts'
import { openWindow } from './window.ts'

/** As they stand in the navigation. */
const PARTS = ['emit', 'scenarios', 'operations', 'traffic', 'log', 'subscriptions', 'laboratory', 'keys']

/** Every state costs seconds of a busy machine: a low window has fewer rows to go through, and all of their sorts. */
test.use({ viewport: { width: 1180, height: 620 } })

test('axe finds nothing in the parts of the sandbox, in Spanish', async ({ page }) => {
  test.setTimeout(120_000)
  await openPart(page, 'emit', { language: 'es', events: 40 })
  const buttons = page.getByRole('navigation', { name: /^Part/ }).getByRole('button')
  for (const [at, part] of PARTS.entries()) {
    await buttons.nth(at).click()
    await expect(page).toHaveURL(new RegExp(`/${part}$`))
    if (part === 'log') {
      await log(page).focus()
      await page.keyboard.press('Home')
      await page.keyboard.press('Enter')
    }
    expect([part, await broken(page)]).toEqual([part, []])
  }
})

test('axe finds nothing in what the sandbox asks and warns', async ({ page }) => {
  test.setTimeout(120_000)
  await openWindow(page, { count: 1 })
  await page.keyboard.press('5')
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

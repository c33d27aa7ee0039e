import { readFileSync } from 'node:fs'
import { broken } from '../../support/axe.ts'
import { openReconcile } from './reconcile.ts'
import { expect, test } from './test.ts'
import { choose, dialog, press, shows } from './window.ts'

test('a report is asked for by keyboard, says what it covers, and is saved', async ({ page, host }) => {
  await openReconcile(page)
  await page.getByRole('button', { name: 'Report…' }).press('Enter')
  await shows(dialog(page), /\d+ documents that are not matched/, 'first letter and their length')
  // The dialog takes the focus a moment after it is drawn.
  await expect(dialog(page)).toBeFocused()
  await press(page, 'Tab', 'Tab')
  await expect(dialog(page).getByRole('radio', { name: 'HTML' })).toBeFocused()
  await choose(page, 'ArrowRight', dialog(page).getByRole('radio', { name: 'CSV' }))
  await expect(dialog(page).getByText('without counts and method')).toBeVisible()
  expect(await broken(page, '[role="dialog"]')).toEqual([])
  await dialog(page).getByRole('button', { name: 'Save report' }).focus()
  const [first] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
  expect(first.suggestedFilename()).toBe('acuse-produccion-sweep-1.csv')
  await expect(dialog(page).getByText('Report ready: acuse-produccion-sweep-1.csv')).toBeVisible()
  expect(readFileSync(await first.path(), 'utf8')).toMatch(
    /^\uFEFFroute,.*\r?\n.*,E310000001000,missing,.*,F… \(18 characters\),/,
  )

  await dialog(page).getByRole('radio', { name: 'Markdown' }).click()
  await dialog(page).getByRole('radio', { name: 'Español' }).click()
  await dialog(page).getByRole('checkbox', { name: 'Mask personal data' }).click()
  await expect(dialog(page).getByText('Anyone who gets the file')).toBeVisible()
  const [second] = await Promise.all([
    page.waitForEvent('download'),
    dialog(page).getByRole('button', { name: 'Save report' }).click(),
  ])
  expect(second.suggestedFilename()).toBe('acuse-produccion-barrido-1.md')
  expect(host.api.sent('reconciliation.report')).toEqual([
    { sweep: 1, format: 'csv', language: 'en', unmask: false },
    { sweep: 1, format: 'markdown', language: 'es', unmask: true },
  ])
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Report…' })).toBeFocused()
})

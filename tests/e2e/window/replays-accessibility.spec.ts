import { broken } from '../../support/axe.ts'
import { changeJob, openWithTargets } from './replays.ts'
import { expect, test } from './test.ts'
import { details, dialog, goTo, rowAt } from './window.ts'

/** Every state costs seconds of a busy machine: a low window has fewer rows to go through, and all of their sorts. */
test.use({ viewport: { width: 1180, height: 560 } })

test('axe finds nothing in attempts, comparisons and notices', async ({ page }) => {
  test.slow()
  await openWithTargets(page, { count: 60 })
  await rowAt(page, 3).click({ modifiers: ['Control'] })
  await rowAt(page, 5).click({ modifiers: ['Control'] })
  await expect(page.getByText('2 selected')).toBeVisible()
  expect(await broken(page)).toEqual([])
  await rowAt(page, 3).click()
  await page.keyboard.press('r')
  await expect(page.getByRole('button', { name: 'Open attempt' })).toBeVisible()
  await details(page).getByRole('tab', { name: 'Attempts' }).click()
  await details(page).getByLabel('Send to').selectOption('flaky')
  await details(page).getByRole('button', { name: 'Send', exact: true }).click()
  await expect(details(page).getByText(/5 answers/)).toBeVisible()
  expect(await broken(page)).toEqual([])
  await details(page).getByRole('button', { name: 'Compare', exact: true }).first().click()
  await expect(details(page).getByRole('region', { name: 'Comparison' })).toBeVisible()
  expect(await broken(page)).toEqual([])
  await page.keyboard.press('Escape')
  await details(page).getByRole('row').last().click()
  await expect(details(page).getByText('Request as sent')).toBeVisible()
  expect(await broken(page)).toEqual([])
})

test('axe finds nothing in the replay sheet', async ({ page }) => {
  test.slow()
  await openWithTargets(page, { count: 60 })
  await rowAt(page, 3).click()
  await page.keyboard.press('Shift+R')
  await dialog(page).getByRole('textbox', { name: 'Body to send' }).fill('{"Event":')
  expect(await broken(page)).toEqual([])
  await dialog(page).getByRole('tab', { name: 'Headers' }).click()
  expect(await broken(page)).toEqual([])
  await dialog(page)
    .getByRole('radio', { name: /Everything/ })
    .click()
  await dialog(page).getByText('More options', { exact: true }).click()
  await dialog(page).getByLabel('In parallel').fill('0')
  await expect(dialog(page).getByText('Enter 1 to 256.')).toBeVisible()
  expect(await broken(page)).toEqual([])
})

test('axe finds nothing in Replays', async ({ page, host }) => {
  test.slow()
  await openWithTargets(page, { count: 60 })
  await goTo(page, 'replays')
  await page.getByRole('button', { name: 'New job' }).first().click()
  await dialog(page)
    .getByRole('button', { name: /^Send \d+/ })
    .click()
  await expect(page.getByRole('button', { name: 'Retry failed' })).toBeVisible({ timeout: 10_000 })
  expect(await broken(page)).toEqual([])
  await changeJob(host, { state: 'stopped', uncertain: 1 })
  await host.call('forwards.save', {
    ...{ name: 'erp', enabled: true, filter: 'group:invoices', targets: ['app'], concurrency: 1 },
    ...{ whenDown: 'queue', answerFrom: null, answerTimeoutMs: 3_000, temporary: true },
  })
  await expect(page.getByText('stopped').first()).toBeVisible()
  expect(await broken(page)).toEqual([])
  await goTo(page, 'replays/forwards')
  await expect(page.getByRole('heading', { name: 'erp' })).toBeVisible()
  expect(await broken(page)).toEqual([])
  await page.getByRole('button', { name: 'Edit erp' }).click()
  await dialog(page).getByLabel('Name').fill('No')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  expect(await broken(page)).toEqual([])
})

test('axe finds nothing in targets and faults', async ({ page, host }) => {
  test.slow()
  await openWithTargets(page, { count: 20 })
  await host.call('faults.add', {
    ...{ endpoint: null, effect: { type: 'status', status: 503 }, probability: 0.5, seed: 1 },
    ...{ filter: '', next: 3, until: null },
  })
  await goTo(page, 'settings/targets')
  await expect(page.getByRole('heading', { name: 'Targets' })).toBeVisible()
  expect(await broken(page)).toEqual([])
  await page.getByRole('button', { name: 'Edit staging' }).click()
  await dialog(page).getByRole('switch', { name: 'Accept any certificate' }).click()
  expect(await broken(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Add fault' }).click()
  expect(await broken(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '1 fault active' }).click()
  expect(await broken(page)).toEqual([])
})

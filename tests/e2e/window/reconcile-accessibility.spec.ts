import { broken } from '../../support/axe.ts'
import { card, changeSweep, documents, openReconcile, pane } from './reconcile.ts'
import { expect, test } from './test.ts'
import { dialog } from './window.ts'

test('axe finds nothing in a reconciliation and its documents', async ({ page }) => {
  test.slow()
  await openReconcile(page, {})
  await expect(documents(page).first()).toBeVisible()
  expect(await broken(page)).toEqual([])
  await card(page, 'differ').click()
  await expect(documents(page).first()).toContainText('≠')
  await documents(page).first().click()
  await expect(pane(page).getByText('Evidence')).toBeVisible()
  expect(await broken(page)).toEqual([])
  await pane(page).getByRole('radio', { name: 'Raw' }).click()
  await expect(
    pane(page)
      .getByText(/CustomerName/)
      .first(),
  ).toBeVisible()
  expect(await broken(page)).toEqual([])
})

test('axe finds nothing in what Reconcile asks and warns', async ({ page, host }) => {
  test.slow()
  await openReconcile(page, { count: 60 })
  await page.getByRole('button', { name: /^Rebuild and replay/ }).click()
  await expect(dialog(page).getByText(/would be rebuilt/)).toBeVisible()
  expect(await broken(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'History' }).click()
  expect(await broken(page)).toEqual([])
  await page.keyboard.press('Escape')
  await changeSweep(host, 1, {
    state: 'failed',
    problems: [{ code: 'unauthorised', message: 'unknown key', params: {} }],
  })
  await expect(page.getByText('does not accept the API key')).toBeVisible()
  await page.getByLabel('Find').fill('nothing like that')
  await expect(page.getByText('No document is like that.')).toBeVisible()
  expect(await broken(page)).toEqual([])
  await changeSweep(host, 1, { state: 'running', problems: [], endedAt: null })
  await expect(page.getByRole('progressbar')).toBeVisible()
  expect(await broken(page)).toEqual([])
})

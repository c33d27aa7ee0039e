import { broken } from '../../support/axe.ts'
import { changeSweep, documents, openReconcile, streams } from './reconcile.ts'
import { expect, test } from './test.ts'
import { dialog } from './window.ts'

test('a coverage gap becomes the whole days that it touches', async ({ page }) => {
  await openReconcile(page)
  await page.getByLabel('Preset').selectOption('gap')
  // A host that begins slowly has one of its own beside it.
  const gap = dialog(page).getByRole('button', { name: /Acuse was off.* 6 h/ })
  await expect(gap).toBeVisible()
  expect(await broken(page)).toEqual([])
  await gap.press('Enter')
  await expect(dialog(page)).toHaveCount(0)
  await expect(page.getByLabel('Preset')).toHaveValue('gap')
  await expect(page.getByLabel('From', { exact: true })).toHaveValue(/^20\d\d-\d\d-\d\d$/)
  await page.evaluate(() => {
    location.hash = `#/reconcile/gap/${Date.parse('2026-11-05T14:00:00-04:00')}-${Date.parse('2026-11-06T02:00:00-04:00')}`
  })
  await expect(page.getByLabel('From', { exact: true })).toHaveValue('2026-11-05')
  await expect(page.getByLabel('To', { exact: true })).toHaveValue('2026-11-06')
})

test('captures show by themselves; what was not reached is counted apart', async ({ page, host }) => {
  await openReconcile(page)
  await expect(documents(page).first()).toBeVisible()
  await streams(page).press('End')
  await expect(documents(page).last()).toContainText(/\d/)
  const last = await documents(page).last().getAttribute('data-key')
  await host.arrive(3)
  await expect.poll(async () => host.api.sent('reconciliation.summary').length).toBeGreaterThan(0)
  await expect(page.getByText(/^As of \d\d:\d\d:\d\d$/)).toBeVisible()
  expect(await documents(page).last().getAttribute('data-key')).toBe(last)
  const from = (Date.now() - 9 * 86_400_000) * 1_000
  host.api.answer('reconciliation.summary', async (_, ask) => ({
    ...(await ask()),
    ...{ notReached: 12, unreached: [{ from, to: Date.now() * 1_000 }] },
  }))
  await changeSweep(host, 1, {
    state: 'incomplete',
    reached: new Date(Date.now() - 9 * 86_400_000).toISOString(),
    problems: [{ code: 'server-error', message: '503, again and again.', params: {} }],
  })
  await expect(page.getByText(/captured documents were not reached/)).toBeVisible()
  await expect(page.getByRole('group', { name: /by class/ }).getByText('not reached')).toBeVisible()
  expect(await broken(page)).toEqual([])
})

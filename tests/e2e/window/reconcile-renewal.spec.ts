import { broken } from '../../support/axe.ts'
import { changeSweep, documents, openReconcile, streams } from './reconcile.ts'
import { expect, test } from './test.ts'
import { dialog } from './window.ts'

test('a coverage gap is chosen by keyboard and becomes the whole days that it touches; a link fills it in', async ({
  page,
}) => {
  await openReconcile(page)
  await page.getByLabel('Preset').selectOption('gap')
  const gap = dialog(page).getByRole('button', { name: /Acuse was off/ })
  await expect(gap).toContainText('6 h')
  expect(await broken(page)).toEqual([])
  await gap.focus()
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toHaveCount(0)
  await expect(page.getByLabel('Preset')).toHaveValue('gap')
  await expect(page.getByLabel('From', { exact: true })).toHaveValue(/^20\d\d-\d\d-\d\d$/)
  await page.evaluate(() => {
    location.hash = `#/reconcile/gap/${Date.parse('2026-11-05T14:00:00-04:00')}-${Date.parse('2026-11-06T02:00:00-04:00')}`
  })
  await expect(page.getByLabel('From', { exact: true })).toHaveValue('2026-11-05')
  await expect(page.getByLabel('To', { exact: true })).toHaveValue('2026-11-06')
})

test('a sweep that runs says its pace and what is left, or that it is unknown', async ({ page, host }) => {
  const { service, range } = await openReconcile(page, { swept: false })
  const held = Promise.withResolvers<void>()
  service.turn({ held: held.promise })
  const { from, to } = range
  // The preset is this month, of which there may be only a day yet.
  await page.getByLabel('From', { exact: true }).fill(from)
  await page.getByLabel('To', { exact: true }).fill(to)
  await page.getByRole('button', { name: 'Run sweep', exact: true }).click()
  const sweep = page.getByRole('region', { name: 'Sweep 1' })
  await expect(sweep).toBeVisible()
  const go = (documents: number, reached: string) => changeSweep(host, 1, { documents, reached })
  const first = new Date(Date.now() - 8 * 86_400_000).toISOString()
  await go(100, first)
  await expect(sweep.getByText('100 documents')).toBeVisible()
  await page.waitForTimeout(1_100)
  await go(300, first)
  await expect(sweep.getByText(/documents\/s/)).toBeVisible()
  await expect(sweep.getByText(/time left unknown/)).toBeVisible()
  await go(400, new Date(Date.now() - 4 * 86_400_000).toISOString())
  await expect(sweep.getByText(/about .* left/)).toBeVisible()
  await expect(sweep.getByRole('button', { name: 'Cancel sweep' })).toBeVisible()
  held.resolve()
})

test('captures show without being asked for, where the list stands; what was not reached is counted apart', async ({
  page,
  host,
}) => {
  await openReconcile(page)
  await expect(documents(page).first()).toBeVisible()
  await streams(page).focus()
  await page.keyboard.press('End')
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

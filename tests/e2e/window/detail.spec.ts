import { broken } from '../../support/axe.ts'
import { raw, requestBytes } from '../../support/raw-client.ts'
import { body, field, openBody, tab } from './bodies.ts'
import { expect, test } from './test.ts'
import { copied, details, grid, openWindow, rowAt, rowCount, tells } from './window.ts'

test('Event shows the fields of the kind in catalogue order, with findings beside them', async ({ page }) => {
  const data = { DocumentId: '{8f1c}', StatusId: 7, AmountDue: 1, Sucursal: 'SD-02' }
  await openBody(page, body(data).replace('"AmountDue":1', '"AmountDue":48320.50'))
  await expect(field(page, 'AmountDue')).toContainText('48320.50')
  await expect(field(page, 'StatusId')).toContainText('still being evaluated')
  await tells(field(page, 'DocumentId'), 'must be a UUID', '/data/DocumentId')
  await expect(field(page, 'CustomerName')).toContainText('absent')
  await expect(details(page).getByRole('heading', { name: 'Not documented' })).toBeVisible()
  await expect(field(page, 'Sucursal')).toContainText('SD-02')
})

test('a finding leads from Checks to its place in Raw', async ({ page }) => {
  await openBody(page, body({ DocumentId: 'x', Number: 'E31', CustomerName: 'Ana' }))
  await tab(page, 'Checks').click()
  await expect(details(page).getByRole('heading', { name: /Errors/ })).toBeVisible()
  await expect(details(page).getByText('specification: Known type facts').first()).toBeVisible()
  const wrong = details(page).getByRole('listitem').filter({ hasText: 'DocumentId must be a UUID' })
  await wrong.getByRole('button', { name: 'Copy the pointer' }).click()
  await expect.poll(() => copied(page)).toBe('/data/DocumentId')
  await wrong.getByRole('button', { name: /Go to line 1, column 89/ }).click()
  await expect(tab(page, 'Raw')).toHaveAttribute('aria-selected', 'true')
  await expect(details(page).getByRole('treeitem', { selected: true })).toContainText('"DocumentId": "x"')
  await details(page).getByRole('treeitem').filter({ hasText: '"Number"' }).click()
  await details(page).getByRole('button', { name: 'Copy the pointer' }).click()
  await expect.poll(() => copied(page)).toBe('/data/Number')
})

test('Headers keep order, case and duplicates; secrets are masked', async ({ page, host }) => {
  await openWindow(page, { count: 5 })
  const { port } = new URL(host.receiverUrl)
  const secret = 'a'.repeat(32)
  const headers = ['x-two', '1', 'X-Two', '2', 'X-Hook-Secret', secret]
  await raw({ port: Number(port) }, requestBytes('POST', '/', '{}', headers))
  await rowAt(page, 5).waitFor()
  await rowAt(page, 0).click()
  await tab(page, 'Headers').click()
  const table = details(page).getByRole('table', { name: 'Headers' })
  await expect(table.getByRole('rowheader')).toContainText(['x-two1/2', 'X-Two2/2', 'X-Hook-Secret'])
  await expect(table).toContainText('32 characters')
  await details(page).getByRole('button', { name: 'Reveal secrets' }).click()
  await expect(table).toContainText(secret)
  await details(page).getByRole('button', { name: 'Hide secrets' }).click()
  await expect(table).toContainText('32 characters')
})

test('[ and ] go through the tabs, and Esc gives the focus back to the list', { tag: '@long' }, async ({
  page,
}) => {
  await openWindow(page, { count: 50 })
  await rowAt(page, 1).click()
  await tab(page, 'Event').focus()
  const names = await details(page).getByRole('tab').allTextContents()
  const all = names.map((name) => name.replace(/[\d ].*/, ''))
  for (const name of [...all.slice(1), 'Event']) {
    await page.keyboard.press(']')
    await expect(tab(page, name)).toHaveAttribute('aria-selected', 'true')
  }
  await page.keyboard.press('[')
  await expect(tab(page, all.at(-1) ?? '')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Control+f')
  await expect(details(page).getByRole('textbox', { name: 'Find in the body' })).toBeFocused()
  await page.keyboard.press('Escape')
  await tab(page, 'Raw').press('Escape')
  await expect(grid(page)).toBeFocused()
})

test('quick changes of the selection end with the last one', { tag: '@long' }, async ({ page, host }) => {
  await openWindow(page, { count: 200 })
  host.api.latencyMs = 40
  await rowAt(page, 0).click()
  await grid(page).focus()
  for (let n = 0; n < 12; n += 1) await page.keyboard.press('j')
  await expect(details(page).getByText('#188', { exact: true })).toBeVisible()
  await page.waitForTimeout(200)
  await expect(details(page).getByText('#188', { exact: true })).toBeVisible()
})

test('a delivery that is gone, and one that cannot be read, say so', async ({ page, host }) => {
  await openWindow(page, { count: 20 })
  host.api.refuse('deliveries.get', 'The disk does not answer.')
  await rowAt(page, 0).click()
  await expect(details(page).getByText('The disk does not answer.')).toBeVisible()
  host.api.reset()
  await details(page).getByRole('button', { name: 'Try again' }).click()
  await expect(tab(page, 'Event')).toBeVisible()
})

test('axe finds nothing in any tab', { tag: '@long' }, async ({ page }) => {
  await openWindow(page, { count: 300, seed: 5, language: 'es' })
  await page.getByRole('combobox').fill('kind:factura.created verdict:>=noted')
  await expect.poll(() => rowCount(page)).toBeLessThan(300)
  // Escape discards a filter that is not applied yet.
  await page.keyboard.press('Escape')
  await rowAt(page, 0).click()
  const tabs = details(page).getByRole('tab')
  await expect(tabs).toHaveCount(9)
  for (const one of await tabs.all()) {
    await one.click()
    expect(await broken(page, '[data-detail]'), (await one.textContent()) ?? '').toEqual([])
  }
})

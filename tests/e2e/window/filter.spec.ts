import { expect, test } from './test.ts'
import { enter, filterField, grid, openWindow, press, rowAt, rowCount, rows } from './window.ts'

test('a filter selects, the previous rows stand until the new ones are there', async ({ page, host }) => {
  await openWindow(page, { count: 1500 })
  host.api.latencyMs = 250
  await filterField(page).fill('kind:dgii.*')
  await page.waitForTimeout(200)
  await expect.poll(() => rowCount(page)).toBe(1500)
  await expect.poll(() => rowCount(page)).toBeLessThan(1500)
  for (const row of await rows(page).all()) await expect(row).toContainText('dgii.')
})

test('a problem is shown at its column with a way out, and the list stays', async ({ page }) => {
  await openWindow(page, { count: 800 })
  await filterField(page).fill('kind:factra.created')
  await page.keyboard.press('Escape')
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('Column 6:')
  await expect(filterField(page)).toHaveAttribute('aria-invalid', 'true')
  await expect.poll(() => rowCount(page)).toBe(800)
  await alert.getByRole('button', { name: 'Write factura.created' }).click()
  await expect(filterField(page)).toHaveValue('kind:factura.created')
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect.poll(() => rowCount(page)).toBeLessThan(800)
})

test('Enter leads to the list from a filter that it takes, even from none left', async ({ page, host }) => {
  await openWindow(page, { count: 300 })
  for (const wrong of ['verdict:inalid', '/E31(/']) {
    await enter(filterField(page), wrong)
    await expect(filterField(page)).toHaveAttribute('aria-invalid', 'true')
    await page.keyboard.press('ControlOrMeta+a')
    // This filter matches some rows, since an empty result has no list to focus.
    await page.keyboard.type('number:E')
    await expect(filterField(page)).toHaveValue('number:E')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  await enter(filterField(page), 'verdict:invalid')
  await expect(grid(page)).toBeFocused()
  await filterField(page).fill('number:none')
  await expect(grid(page)).toHaveCount(0)
  const answer = host.api.hold('deliveries.page')
  await enter(filterField(page), 'verdict:invalid')
  await expect(filterField(page)).not.toBeFocused()
  answer()
  await expect(grid(page)).toBeFocused()
})

test('completions are taken by the keyboard', async ({ page }) => {
  await openWindow(page, { count: 300 })
  await page.keyboard.press('/')
  await page.keyboard.type('ver')
  await expect(page.getByRole('option', { name: /verdict:/ }).first()).toBeVisible()
  // Letters typed at once continue after the completion.
  await page.keyboard.press('Tab')
  await page.keyboard.type('inv')
  await expect(filterField(page)).toHaveValue('verdict:inv')
  await press(page, 'ArrowDown', 'Enter')
  await expect(filterField(page)).toHaveValue('verdict:invalid ')
  await page.keyboard.press('Escape')
  await expect.poll(() => rowCount(page)).toBeLessThan(300)
  for (const row of await rows(page).all()) await expect(row).toContainText('invalid')
})

test('verdict chips count under the rest of the filter, and switch themselves', async ({ page }) => {
  await openWindow(page, { count: 600 })
  const invalid = page.getByRole('button', { name: /^invalid:/ })
  const noted = page.getByRole('button', { name: /^noted:/ })
  await expect(invalid).not.toHaveText('✕0')
  const counted = Number((await invalid.textContent())?.replace('✕', ''))
  await invalid.click()
  await expect(invalid).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(() => rowCount(page)).toBe(counted)
  await noted.click()
  await expect(filterField(page)).toHaveValue('verdict:invalid,noted')
  await expect(invalid).toHaveText(`✕${counted}`)
  await invalid.click()
  await noted.click()
  await expect(filterField(page)).toHaveValue('')
  await expect.poll(() => rowCount(page)).toBe(600)
})

test('a filter that nothing matches offers the way back, to rows in sight', async ({ page }) => {
  await openWindow(page, { count: 200 })
  await grid(page).hover()
  await page.mouse.wheel(0, 3_000)
  await rowAt(page, 110).click()
  await filterField(page).fill('nowhere-to-be-found')
  await expect(page.getByText('No delivery matches this filter')).toBeVisible()
  await page.getByRole('main').getByRole('button', { name: 'Clear the filter' }).last().click()
  await expect.poll(() => rowCount(page)).toBe(200)
  await expect(rowAt(page, 0)).toBeInViewport()
})

test('the kinds menu lists all 28 kinds and writes the filter', async ({ page }) => {
  await openWindow(page, { count: 600 })
  await page.getByRole('button', { name: 'Kinds' }).click()
  await expect(page.getByRole('checkbox')).toHaveCount(28 + 8)
  await page.getByRole('checkbox', { name: 'Invoices' }).click()
  await expect(filterField(page)).toHaveValue('group:invoices')
  await page.getByRole('checkbox', { name: 'gasto.created' }).click()
  const kinds = 'kind:factura.created,factura.updated,factura.anulated,gasto.created'
  await expect(filterField(page)).toHaveValue(kinds)
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect(filterField(page)).toHaveValue('')
})

test('live rows join a filtered list only when they match', async ({ page, host }) => {
  await openWindow(page, { count: 400 })
  await filterField(page).fill('verdict:>=noted')
  await expect.poll(() => rowCount(page)).toBeLessThan(400)
  const before = await rowCount(page)
  await host.arrive(120)
  await expect.poll(() => rowCount(page)).toBeGreaterThan(before)
  await expect(grid(page)).not.toContainText('checking…')
  const matching = async () =>
    (await host.call('deliveries.page', { filter: 'verdict:>=noted', from: 0, limit: 1 })).total
  await expect.poll(async () => (await rowCount(page)) - (await matching())).toBe(0)
})

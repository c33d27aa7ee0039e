import { broken } from '../../support/axe.ts'
import { expect, test } from './test.ts'
import { enter, filterField, openWindow, rowCount } from './window.ts'

test('values come with counts, filters get names and are recalled by keys', async ({ page, host }) => {
  await openWindow(page, { count: 600 })
  await page.keyboard.press('/')
  await page.keyboard.type('kind:fact')
  const option = page.getByRole('option', { name: /factura\.created/ })
  await expect(option).toContainText(/\d/)
  expect(await broken(page)).toEqual([])

  await enter(filterField(page), 'kind:gasto.created')
  await enter(filterField(page), 'is:late size:>1')
  const { total: late } = await host.call('deliveries.summary', { filter: 'is:late size:>1' })
  await expect.poll(() => rowCount(page)).toBe(late)
  await page.getByRole('button', { name: 'Saved and recent filters' }).click()
  await page.getByRole('textbox', { name: 'Name for this filter' }).fill('Late ones')
  expect(await broken(page)).toEqual([])
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  // Typed but never entered: an unfinished filter is not remembered, even after a while.
  await filterField(page).fill('size:>3')
  await page.waitForTimeout(1_800)
  await filterField(page).fill('size:big')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('alert')).toContainText('Column 6:')

  await filterField(page).fill('')
  await page.keyboard.press('ArrowUp')
  await expect(page.getByRole('option', { name: /Late ones/ })).toBeVisible()
  // Entered filters are remembered, even when another one follows at once.
  await expect(page.getByRole('option', { name: 'kind:gasto.created' })).toBeVisible()
  await expect(page.getByRole('option', { name: 'size:>3' })).toHaveCount(0)
  expect(await broken(page)).toEqual([])
  await page.keyboard.press('Enter')
  await expect(filterField(page)).toHaveValue('is:late size:>1')
  await expect.poll(() => rowCount(page)).toBe(late)

  await page.getByRole('button', { name: 'Saved and recent filters' }).click()
  // Rename by keyboard: a name in use is refused at the field, and Esc keeps the old name.
  await host.call('filters.save', { name: 'Big', filter: 'size:>1kb', notify: true })
  await page.getByRole('button', { name: 'Rename Big' }).press('Enter')
  await page.keyboard.type('late ONES')
  await page.keyboard.press('Enter')
  const taken = 'Another filter has the name Late ones. Choose a different one.'
  await expect(page.getByRole('alert').filter({ hasText: taken })).toBeVisible()
  expect(await broken(page, '[role="dialog"]')).toEqual([])
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Rename Big' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.type('Zeta')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Rename Zeta' })).toBeFocused()
  await expect(page.getByRole('button', { name: 'Rename Big' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Remove Late ones' }).click()
  await expect(page.getByRole('button', { name: 'Remove Late ones' })).toHaveCount(0)
})

test('a search says how far it is, and can be stopped and resumed', async ({ page, host }) => {
  await openWindow(page, { count: 900, language: 'es' })
  host.api.answer('deliveries.page', async ({ filter }, ask) => {
    const found = await ask()
    return filter === '' ? found : { ...found, searching: { scanned: 420_000, of: 1_000_000 } }
  })
  await filterField(page).fill('/factura/i')
  await expect(page.getByText('42 % revisado')).toBeVisible()
  expect(await broken(page)).toEqual([])
  await page.getByRole('button', { name: 'Detener' }).click()
  await expect(page.getByText('Detenida en el 42 %')).toBeVisible()
  await page.getByRole('button', { name: 'Reanudar' }).click()
  await expect(page.getByText('42 % revisado')).toBeVisible()
  host.api.pass('deliveries.page')
  await expect(page.getByText('42 %')).toHaveCount(0)
  expect(await rowCount(page)).toBeGreaterThan(0)
})

import type { Locator, Page } from '@playwright/test'
import { broken } from '../../support/axe.ts'
import { expect, test } from './test.ts'
import { copied, filterField, goTo, grid, openWindow, press, rowAt, rowCount } from './window.ts'

const menu = (page: Page): Locator => page.getByRole('menu')
const item = (page: Page, name: string | RegExp): Locator => page.getByRole('menuitem', { name })
const cell = (row: Locator, place: number): Locator => row.getByRole('gridcell').nth(place)

test('a row offers what its cell and its delivery can do, by the pointer', async ({ page, host }) => {
  await openWindow(page, { count: 60 })
  await cell(rowAt(page, 2), 1).click({ button: 'right' })
  await expect(menu(page)).toBeVisible()
  // Pointed at, not opened; what is not selected is selected first.
  await expect(rowAt(page, 2)).toHaveAttribute(
    'id',
    (await grid(page).getAttribute('aria-activedescendant')) ?? '',
  )
  await expect(page.locator('[data-detail]')).toHaveCount(0)
  await expect(item(page, /Copy as cURL/)).toContainText('Shift Y')
  expect(await broken(page)).toEqual([])
  await press(page, 'Escape')
  await expect(menu(page)).toHaveCount(0)
  await expect(grid(page)).toBeFocused()

  const { rows } = await host.call('deliveries.page', { filter: '', from: 0, limit: 60 })
  const { kind } = rows.at(-3) ?? {}
  await cell(rowAt(page, 2), 1).click({ button: 'right' })
  await item(page, `Exclude kind:${kind}`).click()
  await expect(filterField(page)).toHaveValue(`-kind:${kind}`)
  const { total } = await host.call('deliveries.summary', { filter: `-kind:${kind}` })
  await expect.poll(() => rowCount(page)).toBe(total)

  // Of several that are selected, all are meant.
  await rowAt(page, 0).click()
  await press(page, 'Escape', 'ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowDown')
  const chosen = grid(page).locator('[aria-selected="true"]')
  await expect(chosen).toHaveCount(3)
  await cell(chosen.nth(1), 2).click({ button: 'right' })
  await expect(chosen).toHaveCount(3)
  await item(page, 'Copy as text').click()
  await expect.poll(async () => (await copied(page)).trim().split('\n').length).toBe(4)
  await cell(rowAt(page, 9), 2).click({ button: 'right' })
  await expect(chosen).toHaveCount(0)
})

test('the menu key and Shift F10 open it on the row of any list, and Esc gives the focus back', async ({
  page,
}) => {
  await openWindow(page, { count: 60, language: 'es' })
  await expect(rowAt(page, 0)).toBeVisible()
  await press(page, 'j', 'Shift+F10')
  await item(page, 'Filtrar por').press('ArrowRight')
  await expect(item(page, /^verdict:/)).toBeVisible()
  expect(await broken(page)).toEqual([])
  await item(page, /^kind:/).press('Enter')
  await expect(filterField(page)).toHaveValue(/^kind:/)
  await goTo(page, 'documents')
  const documents = page.getByRole('grid', { name: 'Documentos' })
  await documents.focus()
  await press(page, 'ArrowDown', 'ContextMenu')
  await expect(menu(page)).toHaveCount(1)
  expect(await broken(page)).toEqual([])
  await press(page, 'Escape')
  await expect(documents).toBeFocused()
  await press(page, 'ContextMenu')
  await item(page, 'Ver en Entregas').click()
  await expect(filterField(page)).toHaveValue(/ doc:/)
})

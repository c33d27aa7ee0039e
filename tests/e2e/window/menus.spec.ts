import type { Locator, Page } from '@playwright/test'
import { broken } from '../../support/axe.ts'
import { anEvent } from '../../support/events.ts'
import { expect, test } from './test.ts'
import {
  button,
  copied,
  details,
  filterField,
  goTo,
  grid,
  openWindow,
  press,
  rowAt,
  rowCount,
} from './window.ts'

const menu = (page: Page): Locator => page.getByRole('menu')
const item = (page: Page, name: string | RegExp): Locator => page.getByRole('menuitem', { name })
const cell = (row: Locator, place: number): Locator => row.getByRole('gridcell').nth(place)

test('a row offers what its cell and its delivery can do, by the pointer', async ({ page, host }) => {
  await openWindow(page, { count: 60 })
  await cell(rowAt(page, 2), 1).click({ button: 'right' })
  await expect(menu(page)).toBeVisible()
  // Pointed at, not opened; what is not selected is selected first.
  const pointed = await grid(page).getAttribute('aria-activedescendant')
  await expect(rowAt(page, 2)).toHaveAttribute('id', pointed ?? '')
  await expect(details(page)).toHaveCount(0)
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

test('the menu key and Shift F10 open it in any list; Esc gives the focus back', async ({ page }) => {
  await openWindow(page, { count: 60, language: 'es' })
  await press(page, 'j')
  // Menus come after the first rows.
  await expect(async () => {
    await press(page, 'Shift+F10')
    await expect(menu(page)).toBeVisible({ timeout: 500 })
  }).toPass()
  await item(page, 'Filtrar por').press('ArrowRight')
  await expect(item(page, /^verdict:/)).toBeVisible()
  expect(await broken(page)).toEqual([])
  await item(page, /^kind:/).press('Enter')
  await expect(filterField(page)).toHaveValue(/^kind:/)
  await goTo(page, 'documents')
  const documents = page.getByRole('grid', { name: 'Documentos' })
  await expect(documents.locator('[data-key]').first()).toBeVisible()
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

test('fields, headers and lines of Raw have menus; marked text has none', async ({ page, host }) => {
  const body = anEvent('factura.created', { data: { Number: 'E310000000777', DocumentId: '{8f1c}' } })
  await openWindow(page, { count: 0 })
  await host.deliver(JSON.stringify(body))
  await rowAt(page, 0).click()
  const detail = details(page)
  await detail.getByText('E310000000777').first().click({ button: 'right' })
  expect(await broken(page)).toEqual([])
  await item(page, 'Copy pointer').click()
  await expect.poll(() => copied(page)).toBe('/data/Number')

  // One tab stop for all fields; arrows go on.
  await button(detail, 'Actions for Event').focus()
  await press(page, 'ArrowDown')
  await expect(button(detail, 'Actions for Timestamp')).toBeFocused()
  await press(page, 'Enter')
  await item(page, 'Copy value').click()
  await expect.poll(() => copied(page)).toBe(body.Timestamp)
  await expect(button(detail, 'Actions for Timestamp')).toBeFocused()

  await detail.getByRole('tab', { name: /Headers/ }).click()
  await detail.getByRole('row', { name: /content-type/i }).click({ button: 'right' })
  await item(page, 'Copy header').click()
  await expect.poll(() => copied(page)).toMatch(/^content-type: /i)

  await detail.getByRole('tab', { name: 'Raw' }).click()
  const line = detail.getByRole('treeitem', { name: /"DocumentId"/ })
  // What the checks found stands beside it, and is read with it.
  await expect(line).toHaveAttribute('aria-description', /UUID/)
  await line.click()
  await expect(detail.getByText(/UUID/).last()).toBeVisible()
  expect(await broken(page)).toEqual([])
  await press(page, 'Shift+F10')
  await item(page, 'Filter by $.data.DocumentId:"{8f1c}"').click()
  await expect(filterField(page)).toHaveValue('$.data.DocumentId:"{8f1c}"')

  const opened = await line.evaluate((row) => {
    getSelection()?.selectAllChildren(row)
    const press = { bubbles: true, cancelable: true, button: 2 }
    row.dispatchEvent(new PointerEvent('pointerdown', press))
    return !row.dispatchEvent(new MouseEvent('contextmenu', press))
  })
  expect(opened).toBe(false)
})

test('a bar of the timeline filters, and leads to a sweep of its time', async ({ page }) => {
  await openWindow(page, { count: 60 })
  const chart = page.getByRole('slider', { name: 'Deliveries by time of arrival' })
  await chart.press('Home')
  await chart.press('ContextMenu')
  await expect(item(page, 'Sweep this time…')).toBeVisible()
  expect(await broken(page)).toEqual([])
  await item(page, /^Filter to this time/).click()
  await expect(filterField(page)).toHaveValue(/^received:/)
  await expect(chart).toBeFocused()
  await chart.click({ button: 'right' })
  await item(page, 'Sweep this time…').click()
  await expect(page).toHaveURL(/#\/reconcile\/gap\/\d+-\d+$/)
})

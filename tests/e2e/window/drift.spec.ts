import type { Page } from '@playwright/test'
import { broken } from '../../support/axe.ts'
import { tab } from './bodies.ts'
import { expect, test } from './test.ts'
import { details, grid, openWindow, press } from './window.ts'

const kinds = (page: Page) => page.getByRole('grid', { name: /^(Kinds|Tipos)$/ })

async function openDrift(page: Page, query: Record<string, string | number> = {}): Promise<void> {
  await openWindow(page, { count: 900, ...query })
  await page.keyboard.press('7')
  await expect(kinds(page)).toBeVisible()
}

test('tells what was first seen, and the delivery tells it beside the field; by keyboard', async ({
  page,
}) => {
  await openDrift(page)
  const events = page.getByRole('grid', { name: 'Drift, newest first' })
  await expect(events.getByRole('row').filter({ hasText: '/data/Sucursal' }).first()).toContainText(
    'first seen',
  )
  const ends = await events
    .locator('time')
    .evaluateAll((times) => times.map((time) => Math.round(time.getBoundingClientRect().right)))
  expect(new Set(ends).size).toBe(1)
  // The list is one tab stop.
  await kinds(page).focus()
  await page.keyboard.press('Tab')
  await expect(events).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.locator('main :focus')).toHaveCount(0)
  await page.keyboard.press('Shift+Tab')
  await press(page, 'Home', 'Enter')
  await expect(grid(page)).toBeFocused()
  await tab(page, 'Event').click()
  await expect(details(page).getByText('first seen').first()).toBeVisible()
  await tab(page, /Checks/).click()
  const heading = details(page).getByRole('heading', { name: /Drift.*never affects the verdict/ })
  await expect(heading).toBeVisible()
})

test('while every kind is still learned, nothing counts as unchanged', async ({ page }) => {
  await openWindow(page, { count: 12, at: 'drift' })
  await expect(page.getByText('The profile is still being learned.')).toBeVisible()
})

test('by keyboard: a kind, its fields, their export, and its reset', { tag: '@long' }, async ({ page }) => {
  await openDrift(page)
  await kinds(page).press('ArrowDown')
  await expect(kinds(page).getByRole('row').nth(1)).toHaveAttribute('aria-selected', 'true')
  const option = kinds(page).getByRole('row', { name: /factura.created/ })
  await option.click()
  const table = page.getByRole('table')
  await expect(table.getByRole('row').filter({ hasText: 'StatusId' })).toContainText('integer')
  // The table is one tab stop too; arrows reach its other buttons.
  await page.getByRole('region', { name: 'Fields observed in factura.created' }).focus()
  await press(page, 'Tab', 'ArrowDown', 'ArrowLeft')
  await expect(page.locator('tr:nth-child(2) :focus')).toHaveAccessibleName(/^Open the last delivery/)
  await press(page, 'ArrowRight', 'Tab')
  await expect(page.locator('main :focus')).toHaveCount(0)
  expect(await broken(page)).toEqual([])
  for (const [way, name] of [
    ['Markdown, to read', 'acuse-drift-factura.created.md'],
    ['Observed, as JSON Schema', 'acuse-observed-factura.created.schema.json'],
    ['Documented, as TypeScript types', 'acuse-events-factura.created.ts'],
  ] as const) {
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).press('Enter')
    await page.getByRole('menuitem', { name: way }).press('Enter')
    expect((await saving).suggestedFilename()).toBe(name)
  }
  const reset = page.getByRole('button', { name: 'Reset…' })
  await reset.press('Enter')
  await expect(page.getByRole('alertdialog', { name: 'Reset factura.created?' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(reset).toBeFocused()
  await reset.press('Enter')
  await page.getByRole('button', { name: 'Reset', exact: true }).press('Enter')
  await expect(option).toHaveCount(0)
})

import type { Page } from '@playwright/test'
import { AcuseError } from '#contract/errors.ts'
import { broken } from '../../support/axe.ts'
import { expect, test } from './test.ts'
import { copied, enter, openWindow, placeOf, press, take } from './window.ts'

const grid = (page: Page) => page.locator('[data-grid]')
const rowAt = (page: Page, index: number) => grid(page).locator(`[data-index="${index}"]`)
const heading = (page: Page, name: string) => page.getByRole('columnheader', { name, exact: true })
const name = (page: Page, column: string) => heading(page, column).locator('[data-heading]')
/** Texts of a column in the visible rows, from the top. */
const column = (page: Page, at: number) =>
  grid(page)
    .locator('[data-index]')
    .evaluateAll(
      (all, place) =>
        all
          .toSorted((a, b) => Number(a.getAttribute('data-index')) - Number(b.getAttribute('data-index')))
          .map((row) => row.children[place]?.textContent ?? ''),
      at,
    )

test.beforeEach(async ({ page }) => {
  await openWindow(page, { count: 300 })
  await expect(page.getByTestId('resize-time')).toBeAttached()
})

test('a heading orders the list, which then only counts what arrives', async ({ page, host }) => {
  await expect(heading(page, 'Time')).toHaveAttribute('aria-sort', 'descending')
  await name(page, 'Answer').click()
  await expect(heading(page, 'Answer')).toHaveAttribute('aria-sort', 'ascending')
  await expect(heading(page, 'Time')).not.toHaveAttribute('aria-sort')
  await expect(page.getByText('Sorted by Answer, ascending.')).toBeVisible()
  // Rows without an answer come first.
  await expect.poll(async () => (await column(page, 6))[0]).toBe('–')
  await name(page, 'Answer').click()
  await expect.poll(async () => (await column(page, 6))[0]).toBe('401')
  const before = await column(page, 0)
  await host.arrive(12)
  const pill = page.getByRole('button', { name: '12 new: show' })
  await expect(pill).toBeVisible()
  expect(await column(page, 0)).toEqual(before)
  await pill.click()
  await expect(pill).toBeHidden()
  await expect(grid(page)).toHaveAttribute('aria-rowcount', '313')
  // The order is saved with the columns; f returns to the newest rows.
  await page.reload()
  await expect(heading(page, 'Answer')).toHaveAttribute('aria-sort', 'descending')
  await page.keyboard.press('f')
  await expect(heading(page, 'Time')).toHaveAttribute('aria-sort', 'descending')
  await expect(page.getByText('Sorted by Answer')).toBeHidden()
})

test('by keyboard: headings, menus, palette; a long sort says its progress', async ({ page, host }) => {
  await grid(page).press('s')
  await expect(name(page, 'Time')).toBeFocused()
  await press(page, 'ArrowRight', 'Enter')
  await expect(heading(page, 'Kind')).toHaveAttribute('aria-sort', 'ascending')
  await expect.poll(async () => [...(await column(page, 1)).slice(0, 40)].length).toBeGreaterThan(10)
  await page.keyboard.press('ArrowDown')
  await page.getByRole('menuitem', { name: 'Descending' }).press('Enter')
  await expect(heading(page, 'Kind')).toHaveAttribute('aria-sort', 'descending')
  host.api.answer('deliveries.page', ({ sort }, ask) =>
    sort
      ? {
          ...{ rows: [], from: 0, total: 0 },
          ordered: { upto: sort.upto ?? 300, newer: 0, building: { done: 430_000, of: 1_000_000 } },
        }
      : ask(),
  )
  await page.keyboard.press('Control+k')
  await enter(page.getByRole('dialog').getByRole('combobox'), 'sort size')
  await expect(page.getByText('Sorting by Size: 43 % of 1,000,000')).toBeVisible()
  // The previous rows stay until then.
  await expect(grid(page).locator('[data-index="0"]')).toBeVisible()
  host.api.pass('deliveries.page')
  await expect(page.getByText('Sorted by Size, ascending.')).toBeVisible()
})

test('a time leads to the first delivery since, in any order', async ({ page }) => {
  await page.keyboard.press('Shift+G')
  const field = page.getByRole('textbox', { name: 'Go to time' })
  await enter(field, 'noonish')
  await expect(page.getByText('Enter a time:')).toBeVisible()
  await enter(field, '2001-01-01')
  await expect(field).toBeHidden()
  await expect(grid(page)).toHaveAttribute('aria-activedescendant', 'delivery-0')
  await expect(grid(page)).toBeFocused()
  await name(page, 'Size').click()
  await expect(heading(page, 'Size')).toHaveAttribute('aria-sort', 'ascending')
  await page.keyboard.press('Shift+G')
  await enter(field, '2999-01-01')
  await expect(page.getByText('No delivery since then.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(field).toBeHidden()
})

test('a range of the order that is shown is copied as text and JSON', async ({ page }) => {
  await name(page, 'Document').click()
  await expect(heading(page, 'Document')).toHaveAttribute('aria-sort', 'ascending')
  await expect(page.getByText('Sorted by Document, ascending.')).toBeVisible()
  await rowAt(page, 5).click()
  await rowAt(page, 2).click({ modifiers: ['Shift'] })
  const documents = (await column(page, 2)).slice(2, 6)
  await page.keyboard.press('Control+c')
  await expect(page.getByText('4 deliveries copied as text.')).toBeVisible()
  const lines = (await copied(page)).trimEnd().split('\n')
  expect(lines[0]).toMatch(/^Time\tKind\tDocument\t.*Size \(B\)\t/)
  expect(lines.slice(1)).toHaveLength(4)
  const shown = lines.slice(1).map((line) => line.split('\t')[2] ?? '')
  // Long ids are shortened on screen, and absent ones a dash.
  expect(shown.map((text, i) => text.startsWith((documents[i] ?? '?').replace(/–|…/, '')))).not.toContain(
    false,
  )
  await take(page, 'Copy', 'As JSON, one array')
  await expect(page.getByText('4 deliveries copied as JSON. Secrets are masked.')).toBeVisible()
  await expect(page.getByText('4 deliveries copied as text.')).toHaveCount(0)
  const json = JSON.parse(await copied(page)) as { id: number; headers: string[][] }[]
  expect(json).toHaveLength(4)
  expect(json[0]?.headers).toContainEqual(['X-Hook-Secret', '<masked: 24 characters>'])
  await take(page, 'Copy', /^As cURL commands(?!,)/)
  await expect(page.getByText(/^4 deliveries copied as cURL\./)).toBeVisible()
  const commands = (await copied(page)).match(/^curl .*$/gm)
  expect(commands).toHaveLength(4)
  expect(await copied(page)).toContain("--header 'X-Hook-Secret: YOUR-SECRET'")
})

test('a notice covers nothing, counts what was too long, goes by a new act', async ({ page, host }) => {
  await rowAt(page, 2).click()
  await rowAt(page, 8).click({ modifiers: ['Shift'] })
  host.api.alter('deliveries.copy', { tooLong: 2 })
  await take(page, 'Copy', 'As JSON, one array')
  const notice = page.getByRole('status').filter({ hasText: '2 of 7 too long to copy' })
  const told = await placeOf(notice)
  const list = await placeOf(page.locator('main'))
  const bar = await placeOf(page.getByRole('contentinfo'))
  expect(told.y).toBeGreaterThanOrEqual(list.y + list.height)
  expect(told.y + told.height).toBeLessThanOrEqual(bar.y)
  expect(await broken(page)).toEqual([])
  host.api.answer('deliveries.copy', () => {
    throw new AcuseError('not-available', 'The disk is gone.')
  })
  await take(page, 'Copy', 'As JSON, one array')
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(notice).toHaveCount(0)
  await page.getByRole('alert').getByRole('button', { name: 'Close' }).press('Enter')
  await expect(page.getByRole('alert')).toHaveCount(0)
})

import type { Page } from '@playwright/test'
import { broken } from '../../support/axe.ts'
import { expect, test } from './test.ts'
import { button, filterField, openWindow, placeOf, press, rowCount } from './window.ts'

const strip = (page: Page) => page.getByRole('region', { name: /Timeline|Línea de tiempo/ })
const goThere = (page: Page) => button(strip(page), /go there in the list$/)
const chart = (page: Page) => strip(page).getByRole('slider')

/** The receiver was off, and the machine slept later. */
const OFF = [
  { state: 'listening', minutesAgo: 60 * 24 },
  { state: 'off', minutesAgo: 30 },
  { state: 'listening', minutesAgo: 23 },
  { state: 'asleep', minutesAgo: 19 },
  { state: 'listening', minutesAgo: 18 },
] as const

test('bars hold every delivery, and are not drawn again for nothing', async ({ page, host }) => {
  await openWindow(page, { count: 1_000, gapMs: 10 })
  await expect(chart(page)).toBeVisible()
  await expect(strip(page)).toContainText('1,000 deliveries · a bar is 1 min')
  await host.arrive(7)
  await expect(strip(page)).toContainText('1,007 deliveries')
  const before = host.api.sent('timeline.get').length
  for (let burst = 0; burst < 10; burst++) await host.arrive(1)
  await expect(strip(page)).toContainText('1,017 deliveries')
  expect(host.api.sent('timeline.get').length - before).toBeLessThan(4)
})

test('the keyboard reads the bars, selects a range, filters by it', async ({ page }) => {
  await openWindow(page, { count: 1_000, gapMs: 700 })
  await chart(page).focus()
  await press(page, 'End', 'ArrowLeft')
  const bar = /^\d\d:\d\d–\d\d:\d\d: \d+ deliveries, valid \d+/
  await expect(chart(page)).toHaveAttribute('aria-valuetext', bar)
  await press(page, 'Shift+ArrowLeft', 'Enter')
  const range = /^received:\d{4}-\d\d-\d\dT\d\d:\d\d\.\.\d{4}-\d\d-\d\dT\d\d:\d\d$/
  await expect(filterField(page)).toHaveValue(range)
  await expect(strip(page).getByRole('button', { name: /^Only .*\d\d:\d\d ?– ?.*\d\d:\d\d/ })).toBeVisible()
  await chart(page).press('Backspace')
  await expect(filterField(page)).toHaveValue('')
  await expect.poll(() => rowCount(page)).toBe(1_000)
})

test('a drawn range becomes a condition; zooming out keeps it', async ({ page, host }) => {
  await openWindow(page, { count: 1_000, gapMs: 700 })
  await filterField(page).fill('verdict:valid')
  const box = await placeOf(strip(page).locator('[data-bars]'))
  const width = await strip(page).getByText('a bar is').textContent()
  await page.mouse.move(box.x + box.width * 0.9, box.y + 20)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.95, box.y + 24, { steps: 4 })
  await page.mouse.up()
  await expect(filterField(page)).toHaveValue(/^received:\S+\.\.\S+ verdict:valid$/)
  const value = await filterField(page).inputValue()
  await strip(page).getByRole('button', { name: 'Zoom out' }).click()
  await expect(filterField(page)).toHaveValue(value)
  await strip(page).getByRole('button', { name: 'Only' }).click()
  await expect(filterField(page)).toHaveValue('verdict:valid')
  // The same scale as before the range.
  await expect(strip(page).getByText('a bar is')).toHaveText(width ?? '')

  // A double click on a bar, or on its line in the table, scrolls the list to that time without a filter.
  const pointed = () => host.api.sent('deliveries.at').length
  await page.mouse.dblclick(box.x + box.width * 0.6, box.y + 20)
  await expect.poll(pointed).toBe(1)
  await expect(page.locator('[data-grid]')).toBeFocused()
  await expect(filterField(page)).toHaveValue('verdict:valid')
  await strip(page).getByRole('button', { name: 'Show as a table' }).click()
  await goThere(page).first().press('Enter')
  await expect.poll(pointed).toBe(2)
  await expect(page.locator('[data-grid]')).toBeFocused()
})

test('of two jumps answered out of order only the last moves the list', async ({ page, host }) => {
  await openWindow(page, { count: 1_000, gapMs: 700 })
  await strip(page).getByRole('button', { name: 'Show as a table' }).click()
  const held: PromiseWithResolvers<void>[] = []
  host.api.answer('deliveries.at', async (_, ask) => {
    if (held.length < 2) await held[held.push(Promise.withResolvers()) - 1]?.promise
    return ask()
  })
  for (const line of [0, 3, 6]) await goThere(page).nth(line).press('Enter')
  const list = page.locator('[data-grid]')
  await expect(list).toBeFocused()
  const shown = async () => [
    await list.getAttribute('aria-activedescendant'),
    await strip(page).getByRole('status').allInnerTexts(),
  ]
  const led = await shown()
  expect(led[0]).not.toBeNull()
  // Late answers: one finds its delivery, the other is refused. After the last one both have reached the window.
  held[0]?.resolve()
  held[1]?.reject(new Error('the answer was lost'))
  await page.waitForTimeout(200)
  expect(await shown()).toEqual(led)
})

test('a gap in coverage leads to a sweep of that range, in chart and table', async ({ page }) => {
  await openWindow(page, { count: 1_000, gapMs: 2_000, coverage: OFF })
  // Across midnight both ends have their dates.
  const gap = strip(page).getByRole('link', { name: /^off .*\d\d:\d\d ?– ?.*\d\d:\d\d · sweep this gap/ })
  await expect(gap).toHaveAttribute('href', /^#\/reconcile\/gap\/\d{13}-\d{13}$/)
  await strip(page).getByRole('button', { name: 'Show as a table' }).click()
  await expect(strip(page).getByRole('columnheader', { name: 'invalid' })).toBeVisible()
  const asleep = strip(page).getByRole('listitem').filter({ hasText: 'asleep' })
  await expect(asleep).toContainText('sweep this gap')
  expect(await broken(page)).toEqual([])
})

test('the table names the receivers of a shared log that were up', async ({ page, host }) => {
  await openWindow(page, { count: 100 })
  const from = Date.now() - 3_600_000
  host.api.answer('timeline.get', async (_, ask) => ({
    ...(await ask()),
    coverage: [{ state: 'listening', from, to: Date.now(), receivers: ['north', 'south'] }],
  }))
  await host.arrive(1)
  await strip(page).getByRole('button', { name: 'Show as a table' }).click()
  await expect(strip(page).getByRole('listitem').filter({ hasText: 'north, south' })).toBeVisible()
  expect(await broken(page)).toEqual([])
})

import type { Page } from '@playwright/test'
import { expect, test } from './test.ts'
import { openWindow, placeOf, rowAt, take } from './window.ts'

const headings = (page: Page) =>
  page
    .getByRole('columnheader')
    .evaluateAll((all) => all.map((heading) => heading.getAttribute('aria-label')))

test.beforeEach(async ({ page }) => {
  await openWindow(page, { count: 50 })
  // Menus and handles load after the first rows.
  await expect(page.getByTestId('resize-time')).toBeAttached()
})

test('columns are hidden, moved and resized, and stay so after a reload', async ({ page }) => {
  await take(page, 'Column “Took”', 'Hide')
  await take(page, 'Column “Verdict”', 'Move left')
  const handle = await placeOf(page.getByTestId('resize-time'))
  await page.mouse.move(handle.x + 4, handle.y + 6)
  await page.mouse.down()
  await page.mouse.move(handle.x + 54, handle.y + 6, { steps: 4 })
  await page.mouse.up()
  const order = [
    ...(['Time', 'Kind', 'Document', 'Party', 'Verdict', 'Total', 'Answer', 'Size'] as const),
    ...(['Endpoint', 'Method'] as const),
  ]
  // Endpoint and Method appear a moment later, once the window knows that their values vary.
  await expect.poll(() => headings(page)).toHaveLength(order.length)
  const width = async () => (await placeOf(page.getByRole('columnheader').first())).width
  expect(await headings(page)).toEqual(order)
  expect(await width()).toBe(142)
  await page.reload()
  await expect(rowAt(page, 0)).toBeVisible()
  // Headings load after the first rows.
  await expect.poll(width).toBe(142)
  expect(await headings(page)).toEqual(order)
  // With free room columns grow. A drag starts at the drawn width, and the pointer stays at the edge.
  await page.setViewportSize({ width: 1_600, height: 800 })
  const box = () => placeOf(page.getByRole('columnheader', { name: 'Document' }))
  const before = await box()
  const grip = await placeOf(page.getByTestId('resize-document'))
  expect(before.width).toBeGreaterThan(160)
  await page.mouse.move(grip.x + 4, grip.y + 6)
  await page.mouse.down()
  await page.mouse.move(grip.x + 34, grip.y + 6, { steps: 4 })
  expect(await box()).toMatchObject({ x: before.x, width: before.width + 30 })
  await page.mouse.up()
  await take(page, 'Column “Document”', 'Wider')
  expect((await box()).width).toBe(before.width + 54)
})

test('a column is dragged to another place', async ({ page }) => {
  const heading = (name: string) => page.getByRole('columnheader', { name })
  await heading('Answer').getByText('Answer').dragTo(heading('Kind'))
  expect((await headings(page)).slice(0, 3)).toEqual(['Time', 'Answer', 'Kind'])
})

test('a column shows itself once it tells; beside details the least give way', async ({ page, host }) => {
  expect(await headings(page)).not.toContain('Tags')
  await host.call('deliveries.annotate', { ids: [50], addTags: ['urgent'] })
  await expect.poll(() => headings(page)).toContain('Tags')
  // The menu of columns shows the visible ones, and keeps the user's choice even without room.
  await page.setViewportSize({ width: 1_280, height: 800 })
  await rowAt(page, 0).click()
  await expect.poll(() => headings(page)).not.toContain('Size')
  const cut = await page.locator('[data-grid]').evaluate((list) => list.scrollWidth - list.clientWidth)
  expect(cut).toBe(0)
  await page.getByRole('button', { name: 'Columns', exact: true }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Size', checked: false }).click()
  await page.keyboard.press('Escape')
  await expect.poll(() => headings(page)).toContain('Size')
})

test('the details stand right or at the bottom, and the choice is remembered', async ({ page }) => {
  await rowAt(page, 1).click()
  await page.keyboard.press('d')
  const box = async () => page.locator('[data-detail]').boundingBox()
  expect((await box())?.x).toBeLessThan(100)
  await page.reload()
  await rowAt(page, 1).click()
  expect((await box())?.x).toBeLessThan(100)
  // The size of 1280 by 800 at 200 %: details cover the list, and a key still opens the next delivery.
  await page.setViewportSize({ width: 640, height: 400 })
  await expect(page.getByRole('button', { name: 'Put details on the right' })).toHaveCount(0)
  expect((await box())?.height).toBeGreaterThan(250)
  await page.keyboard.press('Escape')
  await expect(page.locator('[data-detail]')).toHaveCount(0)
  // Rows narrower than the headings would be cut off by scrolling.
  const widths = await page
    .locator('[data-index]')
    .evaluateAll((rows) => [...new Set(rows.map((row) => Math.round(row.getBoundingClientRect().width)))])
  expect(widths).toEqual([588])
})

import { expect, test } from './test.ts'
import { details, filterField, grid, openWindow, pill, placeOf, press, rowAt, rowCount } from './window.ts'

test.beforeEach(async ({ page }) => {
  await openWindow(page, { count: 3000 })
})

test('j, k and the arrows move through the rows, and Home and End reach both ends', async ({ page }) => {
  const current = () => grid(page).getAttribute('aria-activedescendant')
  await page.keyboard.press('j')
  expect(await current()).toBe('delivery-2999')
  // The focus ring around a row shows only while the list has the focus.
  await expect(grid(page)).toBeFocused()
  await expect(rowAt(page, 0)).toHaveCSS('box-shadow', /inset/)
  await press(page, 'j', 'ArrowDown')
  expect(await current()).toBe('delivery-2997')
  await press(page, 'k', 'ArrowUp')
  expect(await current()).toBe('delivery-2999')
  await page.keyboard.press('End')
  expect(await current()).toBe('delivery-0')
  await expect(rowAt(page, 2999)).toBeInViewport()
  await page.keyboard.press('PageUp')
  expect(Number((await current())?.slice(9))).toBeGreaterThan(10)
  await page.keyboard.press('Home')
  expect(await current()).toBe('delivery-2999')
  await expect(rowAt(page, 0)).toBeInViewport()
})

test('Enter opens the details and then goes into them, and Esc comes back to the row', async ({ page }) => {
  await page.keyboard.press('j')
  await expect(details(page)).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(details(page)).toBeVisible()
  await expect(rowAt(page, 0)).toHaveAttribute('aria-selected', 'true')
  await expect(details(page).getByRole('tab').first()).toBeVisible()
  await page.keyboard.press('Enter')
  expect(await page.evaluate(() => document.activeElement?.closest('[data-detail]') !== null)).toBe(true)
  await page.keyboard.press('Escape')
  await expect(details(page)).toHaveCount(0)
  await expect(grid(page)).toBeFocused()
  expect(await grid(page).getAttribute('aria-activedescendant')).toBe('delivery-2999')
})

test('space pauses, and presses a focused button instead of pausing', async ({ page }) => {
  const paused = page.getByText('Paused', { exact: true })
  await page.keyboard.press('Space')
  await expect(paused).toBeVisible()
  await page.keyboard.press('Space')
  await expect(paused).toHaveCount(0)
  await page.getByRole('button', { name: /^invalid:/ }).press('Space')
  await expect(filterField(page)).toHaveValue('verdict:invalid')
  await expect(paused).toHaveCount(0)
})

test('question mark shows the keys, digits and g chords change the screen', async ({ page }) => {
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('8')
  await expect(page).toHaveURL(/#\/settings$/)
  await page.keyboard.press('5')
  await expect(page).toHaveURL(/#\/sandbox$/)
  await press(page, 'g', 's')
  await expect(page).toHaveURL(/#\/stream\b/)
  await press(page, 'g', 'e')
  await expect(page).toHaveURL(/#\/settings$/)
})

test('an arrow takes a step in the list of the screen, and focuses it', async ({ page }) => {
  await page.keyboard.press('2')
  const documents = page.getByRole('grid', { name: 'Documents' })
  await expect(documents.getByRole('row').nth(2)).toBeVisible()
  await page.keyboard.press('j')
  await expect(documents).toBeFocused()
  await expect(documents).toHaveAttribute('aria-activedescendant', /./)
  await page.keyboard.press('7')
  const kinds = page.getByRole('grid', { name: 'Kinds' })
  await expect(kinds.getByRole('row').nth(1)).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(kinds).toBeFocused()
  await expect(kinds.getByRole('row').nth(1)).toHaveAttribute('aria-selected', 'true')
})

test('arrivals neither take the focus nor move the row pointed at', async ({ page, host }) => {
  await grid(page).focus()
  await press(page, 'j', 'j')
  const before = await rowAt(page, 1).boundingBox()
  await host.arrive(150)
  await expect(pill(page)).toContainText('150 new')
  await expect(grid(page)).toBeFocused()
  expect(await grid(page).getAttribute('aria-activedescendant')).toBe('delivery-2998')
  expect(await rowAt(page, 1).boundingBox()).toEqual(before)
  expect(await rowCount(page)).toBe(3000)
})

test('focus shows at once what a button does and its key, a pointer later', async ({ page }) => {
  const tooltip = page.getByRole('tooltip')
  const documents = page.getByRole('link', { name: 'Documents' })
  // This code loads once the page is idle.
  await expect(async () => {
    await documents.focus()
    await press(page, 'Shift+Tab', 'Tab')
    await expect(tooltip).toHaveText(/Documents.*2/, { timeout: 500 })
  }).toPass()
  await page.keyboard.press('Escape')
  await expect(tooltip).toHaveCount(0)
  await expect(documents).toBeFocused()

  await page.getByRole('link', { name: 'Replays' }).hover()
  await expect(tooltip).toHaveText(/Replays/)
  await page.getByRole('link', { name: 'Sandbox' }).hover()
  await expect(tooltip).toHaveText(/Sandbox/)
  await page.mouse.move(600, 400)
  await expect(tooltip).toHaveCount(0)

  await page.keyboard.press('?')
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).focus()
  await press(page, 'Tab', 'Shift+Tab')
  await expect(page.locator('[role=tooltip]')).toHaveText(/Close/)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('the line between list and details moves by pointer and keys', async ({ page }) => {
  await press(page, 'j', 'Enter')
  const line = page.getByRole('separator', { name: 'Size of the details' })
  const width = async () => (await placeOf(details(page))).width
  const room = (await placeOf(grid(page))).width
  const whole = room + (await width())
  await expect.poll(async () => Math.round(((await width()) / whole) * 100)).toBe(34)

  const box = await placeOf(line)
  const [x, y] = [box.x + 0.5, box.y + 200]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x - 100, y, { steps: 4 })
  await page.mouse.up()
  await expect(line).not.toHaveAttribute('aria-valuenow', '34')
  const dragged = await width()
  expect(dragged).toBeGreaterThan(whole * 0.34 + 90)

  await line.press('ArrowLeft')
  await expect.poll(width).toBeGreaterThan(dragged)
  await page.keyboard.press('End')
  await expect.poll(async () => Math.round(((await width()) / whole) * 100)).toBe(75)
  await page.keyboard.press('Home')
  await expect.poll(width).toBe(300)
  // Rows were neither moved nor redrawn.
  await expect(rowAt(page, 0)).toHaveAttribute('aria-selected', 'true')
  await line.dblclick()
  await expect(line).toHaveAttribute('aria-valuenow', '34')
})

test('a window of one delivery has its keys, and none of a list or a screen', async ({ page }) => {
  await page.goto(`${page.url().split('#')[0]}#/delivery/7`)
  await page.reload()
  await expect(page.getByRole('tab').first()).toBeVisible()
  await page.keyboard.press('p')
  await expect(page.getByRole('button', { name: 'Unpin' })).toBeVisible()
  for (const key of ['2', 'j', 'Delete', 'v', '/']) await page.keyboard.press(key)
  await page.keyboard.press('Shift+R')
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await expect(page.getByRole('dialog')).toContainText('#7')
  await expect(page).toHaveURL(/#\/delivery\/7$/)
})

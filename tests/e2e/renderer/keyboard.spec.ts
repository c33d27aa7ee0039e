import { expect, test } from './test.ts'
import { atHost, details, filterField, grid, openWindow, pill, rowAt, rowCount } from './window.ts'

test.beforeEach(async ({ page }) => {
  await openWindow(page, { count: 3000 })
  await expect(rowAt(page, 0)).toBeVisible()
})

test('j, k and the arrows move through the rows, and Home and End reach both ends', async ({ page }) => {
  const current = () => grid(page).getAttribute('aria-activedescendant')
  await page.keyboard.press('j')
  expect(await current()).toBe('delivery-2999')
  // The ring that shows which row it is belongs to a list that has the keyboard.
  await expect(grid(page)).toBeFocused()
  await expect(rowAt(page, 0)).toHaveCSS('box-shadow', /inset/)
  await page.keyboard.press('j')
  await page.keyboard.press('ArrowDown')
  expect(await current()).toBe('delivery-2997')
  await page.keyboard.press('k')
  await page.keyboard.press('ArrowUp')
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

test('with details open, moving takes them along', async ({ page }) => {
  await rowAt(page, 3).click()
  await page.keyboard.press('j')
  await expect(rowAt(page, 4)).toHaveAttribute('aria-selected', 'true')
  await expect(rowAt(page, 3)).toHaveAttribute('aria-selected', 'false')
})

test('a slash focuses the filter, and letters typed there are no shortcuts', async ({ page }) => {
  await page.keyboard.press('/')
  await expect(filterField(page)).toBeFocused()
  await page.keyboard.type('jkp 2?')
  await expect(filterField(page)).toHaveValue('jkp 2?')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(filterField(page)).not.toBeFocused()
})

test('Escape leaves the filter when it matches nothing, too', async ({ page }) => {
  await filterField(page).fill('nothing-has-this-word')
  await expect(page.getByText('No delivery matches')).toBeVisible()
  await filterField(page).press('Escape')
  await expect(filterField(page)).not.toBeFocused()
})

test('p pins the row pointed at and frees it again', async ({ page }) => {
  await page.keyboard.press('j')
  await page.keyboard.press('p')
  await expect(rowAt(page, 0).getByLabel('pinned')).toBeVisible()
  await page.keyboard.press('p')
  await expect(rowAt(page, 0).getByLabel('pinned')).toHaveCount(0)
})

test('space pauses, and presses a focused button instead of pausing', async ({ page }) => {
  await page.keyboard.press('Space')
  await expect(pill(page)).toHaveText('Paused')
  await page.keyboard.press('Space')
  await expect(pill(page)).toHaveCount(0)
  await page.getByRole('button', { name: /^invalid:/ }).focus()
  await page.keyboard.press('Space')
  await expect(filterField(page)).toHaveValue('verdict:invalid')
  await expect(pill(page)).toHaveCount(0)
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
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await expect(page).toHaveURL(/#\/stream\b/)
  await page.keyboard.press('g')
  await page.keyboard.press('e')
  await expect(page).toHaveURL(/#\/settings$/)
})

test('arrivals neither take the focus nor move the row pointed at', async ({ page }) => {
  await grid(page).focus()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  const before = await rowAt(page, 1).boundingBox()
  await atHost(page, (host) => host.arrive(150, 60))
  await expect(pill(page)).toHaveText('150 new')
  await expect(grid(page)).toBeFocused()
  expect(await grid(page).getAttribute('aria-activedescendant')).toBe('delivery-2998')
  expect(await rowAt(page, 1).boundingBox()).toEqual(before)
  expect(await rowCount(page)).toBe(3000)
})

import { expect, test } from './test.ts'
import { details, grid, openWindow, pill, placeOf, rowAt, rowCount, rows } from './window.ts'

test('the list follows until a row is selected, and returns by its counter', async ({ page, host }) => {
  await openWindow(page, { count: 1000 })
  await host.arrive(5)
  await expect.poll(() => rowCount(page)).toBe(1005)
  await rowAt(page, 2).click()
  await host.arrive(7)
  await expect(pill(page)).toContainText('7 new')
  await expect.poll(() => rowCount(page)).toBe(1005)
  await pill(page).click()
  await expect.poll(() => rowCount(page)).toBe(1012)
  await expect(pill(page)).toHaveCount(0)
  await host.arrive(1)
  await expect.poll(() => rowCount(page)).toBe(1013)
})

test('a list that stopped fills its page, and Esc follows again', async ({ page, host }) => {
  await openWindow(page, { count: 2 })
  await rowAt(page, 0).click()
  await host.arrive(40)
  await expect(pill(page)).toBeVisible()
  const shown = await rowCount(page)
  const [line, list] = [await placeOf(pill(page)), await placeOf(grid(page))]
  // The line takes the room of one or two rows.
  const room = Math.floor((list.height - 26) / 28)
  expect(shown).toBeGreaterThanOrEqual(room)
  expect(shown).toBeLessThanOrEqual(room + 2)
  expect(line.y).toBeGreaterThanOrEqual(list.y + list.height)
  await page.keyboard.press('Escape')
  await expect.poll(() => rowCount(page)).toBe(42)
  await expect(details(page)).toHaveCount(0)
  // Moving the cursor to a row also stops following, and Esc resumes it.
  await page.keyboard.press('j')
  await host.arrive(3)
  await expect(pill(page)).toContainText('3 new')
  await page.keyboard.press('Escape')
  await expect.poll(() => rowCount(page)).toBe(45)
})

test('what arrives before the pushes begin is listed all the same', async ({ page, host }) => {
  await openWindow(page, { count: 5 })
  const connected = Promise.withResolvers<void>()
  host.api.pushesAfter = connected.promise
  await page.reload()
  await expect(rowAt(page, 4)).toBeVisible()
  await host.arrive(2)
  await host.settled()
  connected.resolve()
  await expect.poll(() => rowCount(page)).toBe(7)
})

test('the date stands where the day changes; details name both times', async ({ page, host }) => {
  await openWindow(page, { count: 80, gapMs: 6 * 3_600_000 })
  const options = { weekday: 'short', year: 'numeric', month: 'short', day: 'numeric' } as const
  const label = async (id: number) => {
    const day = new Date((await host.row(id)).receivedAt / 1_000).toLocaleDateString('en-US', options)
    return page.getByText(day, { exact: true })
  }
  const below = async (id: number) => (await placeOf(await label(id))).y - (await placeOf(grid(page))).y
  const next = await placeOf(rowAt(page, 4))
  const change = await placeOf(await label(76))
  expect(change.y).toBeLessThan(next.y + next.height)
  await grid(page).hover()
  // Directly below the heading a day has a single label.
  const under = change.y - (await placeOf(grid(page))).y - 28
  await page.mouse.wheel(0, under)
  await expect.poll(() => below(76)).toBeLessThan(26)
  await page.mouse.wheel(0, 280 - under)
  await expect.poll(() => below(70)).toBeLessThan(26)
  await rowAt(page, 12).click()
  await expect(details(page).getByText('Received', { exact: true })).toBeVisible()
  const told = details(page).locator('dt', { hasText: /^Timestamp$/ })
  await expect(told.first()).toBeVisible()
})

test('pausing loses nothing, and scrolling to the top does not end it', async ({ page, host }) => {
  await openWindow(page, { count: 500 })
  await page.getByRole('button', { name: /^Pause/ }).click()
  await host.arrive(30)
  await expect(pill(page)).toContainText('30 new')
  await grid(page).hover()
  await page.mouse.wheel(0, 400)
  await page.mouse.wheel(0, -800)
  await expect(pill(page)).toContainText('30 new')
  await expect.poll(() => rowCount(page)).toBe(500)
  await page.getByRole('button', { name: /^Resume/ }).click()
  await expect.poll(() => rowCount(page)).toBe(530)
  await expect(rowAt(page, 0)).toHaveAttribute('id', 'delivery-529')
})

test('a gap in the pushes is noticed and everything is read again', async ({ page, host }) => {
  await openWindow(page, { count: 100 })
  await host.arrive(1)
  await expect.poll(() => rowCount(page)).toBe(101)
  // The verdict is the last push about this row.
  await expect(rowAt(page, 0)).not.toContainText('checking…')
  host.api.losesPushes = true
  await host.arrive(3)
  await host.settled()
  await expect.poll(() => rowCount(page)).toBe(101)
  host.api.losesPushes = false
  host.api.push('status.changed', await host.call('status.get', {}))
  await expect.poll(() => rowCount(page)).toBe(104)
})

test('after deletions the row on top keeps its place', async ({ page, host }) => {
  await openWindow(page, { count: 2000 })
  await grid(page).hover()
  await page.mouse.wheel(0, 2800)
  await expect(rowAt(page, 100)).toBeInViewport()
  const time = await rowAt(page, 100).locator('[role="gridcell"]').first().textContent()
  host.api.losesPushes = true
  await host.arrive(50)
  await host.settled()
  host.api.losesPushes = false
  // A second reset arrives while the list still locates its position after the first.
  const located = host.api.hold('deliveries.locate')
  host.api.push('store.reset', { reason: 'retention' })
  await expect.poll(() => host.api.sent('deliveries.locate').length).toBe(1)
  host.api.push('store.reset', { reason: 'retention' })
  await expect.poll(() => host.api.sent('deliveries.locate').length).toBe(2)
  located()
  await expect.poll(() => rowCount(page)).toBe(2050)
  await expect(rowAt(page, 150)).toBeInViewport()
  await expect(rowAt(page, 150).locator('[role="gridcell"]').first()).toHaveText(time ?? '')
})

test('every one of five million rows can be reached', async ({ page, host }) => {
  const total = 5_000_000
  await openWindow(page, { count: 1 })
  const row = await host.row(1)
  host.api.answer('deliveries.page', ({ from, limit }) => {
    const first = from === 'newest' ? total - limit : from
    const rows = Array.from({ length: Math.min(limit, total - first) }, (_, n) => ({
      ...row,
      id: first + n + 1,
    }))
    return { rows, from: first, total }
  })
  await page.reload()
  await expect(rowAt(page, 0)).toHaveAttribute('id', 'delivery-4999999')
  await page.keyboard.press('End')
  await expect(rowAt(page, 4_999_999)).toBeInViewport()
  await expect(rowAt(page, 4_999_999)).toHaveAttribute('id', 'delivery-0')
  // A shorter list is still at its end.
  await page.setViewportSize({ width: 1_280, height: 600 })
  await expect(rowAt(page, 4_999_999)).toBeInViewport({ ratio: 1 })
  await page.keyboard.press('PageUp')
  await grid(page).hover()
  const before = await rows(page).first().getAttribute('data-index')
  await page.mouse.wheel(0, -280)
  await expect.poll(() => rows(page).first().getAttribute('data-index')).toBe(String(Number(before) - 10))
  await page.keyboard.press('Home')
  await expect(rowAt(page, 0)).toBeInViewport()
})

test('a row arrives unjudged and gets its verdict in place', async ({ page, host }) => {
  await openWindow(page, { count: 20 })
  const row = { ...(await host.row(20)), id: 21 }
  const unread = { event: null, kind: null, group: null, verdict: null, findings: 0 }
  const changed = { skipped: 0, lastId: 21, stored: 21 }
  host.api.push('deliveries.changed', { rows: [{ ...row, ...unread }], ...changed })
  await expect(rowAt(page, 0)).toContainText('checking…')
  await expect(rowAt(page, 0)).not.toContainText('no event')
  host.api.push('deliveries.changed', { rows: [row], ...changed })
  await expect(rowAt(page, 0)).not.toContainText('checking…')
})

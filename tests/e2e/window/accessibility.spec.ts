import { broken, settled } from '../../support/axe.ts'
import { expect, test } from './test.ts'
import { filterField, goTo, openWindow, press, rowAt, rowCount } from './window.ts'

/** A low window: axe takes seconds per state on a busy machine, and fewer rows still show all types. */
test.use({ viewport: { width: 1180, height: 560 } })

test('axe is awake: it finds a button without a name, grey on grey, and what only the other theme gets wrong', {
  tag: '@long',
}, async ({ page }) => {
  await openWindow(page, { count: 0 })
  await page.getByText('Waiting for the first delivery').evaluate((words: HTMLElement) => {
    Object.assign(words.style, { color: '#999', backgroundColor: '#888' })
    document.querySelector('main')?.append(document.createElement('button'))
  })
  const names = async () =>
    (await broken(page)).map((rule) => rule.slice(0, rule.lastIndexOf(':', rule.indexOf(' × '))))
  expect(await names()).toEqual(expect.arrayContaining(['button-name', 'color-contrast']))
  await page.evaluate(() => document.querySelector('main > button:last-child')?.remove())
  await page.getByText('Waiting for the first delivery').evaluate((words: HTMLElement) => {
    Object.assign(words.style, { color: '#222', backgroundColor: '' })
  })
  expect(await names()).toEqual(['dark: color-contrast'])
})

test('axe finds nothing in the list with its details', async ({ page, host }) => {
  await openWindow(page, { count: 400, seed: 5 })
  await filterField(page).fill('is:rejected or is:malformed or is:late or verdict:>=noted')
  await expect.poll(() => rowCount(page)).toBeLessThan(400)
  await press(page, 'Escape', 'Escape')
  await rowAt(page, 2).click()
  await expect(page.getByRole('tab').first()).toBeVisible()
  await page.keyboard.press('j')
  await expect(rowAt(page, 3)).toHaveAttribute('aria-selected', 'true')
  // In a sort order, which a strip shows with the number of new arrivals.
  await page.locator('[data-heading="kind"]').click()
  await expect(page.getByText('Sorted by Kind, ascending.')).toBeVisible()
  await host.arrive(40)
  await expect(page.getByRole('button', { name: / new: show$/ })).toBeVisible()
  expect(await broken(page)).toEqual([])
})

test('axe finds nothing in banners, problems and menus', { tag: '@long' }, async ({ page, host }) => {
  await openWindow(page, { count: 60 })
  await rowAt(page, 2).click()
  await page.keyboard.press('Escape')
  await host.arrive(5)
  const { disk } = await host.call('status.get', {})
  await host.status({ disk: { ...disk, usedBytes: 6_000_000_000 } })
  await expect(page.getByRole('button', { name: 'Open Retention' })).toBeVisible()
  host.api.disconnect()
  await filterField(page).fill('kind:factra.created')
  await page.keyboard.press('Escape')
  await expect(page.getByText('Did you mean')).toBeVisible()
  expect(await broken(page)).toEqual([])
  await filterField(page).fill('kind:')
  await page.getByRole('button', { name: 'Kinds' }).click()
  expect(await broken(page)).toEqual([])
  await press(page, 'Escape', '?')
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(await broken(page)).toEqual([])
})

test('at 200 % zoom everything is within the window, or can be scrolled to', async ({ page, host }) => {
  await page.setViewportSize({ width: 640, height: 400 })
  await openWindow(page, { count: 100 })
  await expect(rowAt(page, 0)).toBeInViewport()
  await expect(filterField(page)).toBeInViewport()
  await expect(page.getByRole('button', { name: /^Pause/ })).toBeInViewport()
  await host.call('sandbox.start', { port: 0 })
  for (const key of '12345678') {
    await page.keyboard.press(key)
    if (key === '5') await expect(page.getByRole('button', { name: /^Send/ })).toBeVisible()
    await settled(page)
    expect({ key, beyond: await page.evaluate(beyondReach) }).toEqual({ key, beyond: [] })
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
  }
  for (const last of ['sandbox/keys', 'settings/about']) {
    await goTo(page, last)
    await expect(page.locator('nav [aria-current=true]')).toBeInViewport({ ratio: 1 })
  }
})

/** Finds controls beyond the right or lower edge that no scrolling can reach. */
function beyondReach(): string[] {
  const scrolls = (element: Element | null, along: 'Width' | 'Height'): boolean =>
    element !== null &&
    ((element[`scroll${along}`] > element[`client${along}`] + 1 &&
      /auto|scroll/.test(getComputedStyle(element)[along === 'Width' ? 'overflowX' : 'overflowY'])) ||
      scrolls(element.parentElement, along))
  const beyond = (control: Element): boolean => {
    const { right, bottom } = control.getBoundingClientRect()
    return (
      (right > innerWidth + 1 && !scrolls(control, 'Width')) ||
      (bottom > innerHeight + 1 && !scrolls(control, 'Height'))
    )
  }
  return [...document.querySelectorAll('button, input, a, [role=radio], [role=option]')]
    .filter((control) => control.checkVisibility({ visibilityProperty: true }))
    .filter(beyond)
    .map((control) => control.getAttribute('aria-label') ?? control.textContent)
}

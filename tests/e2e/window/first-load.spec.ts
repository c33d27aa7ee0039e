import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, cold as test } from './test.ts'
import { openWindow } from './window.ts'

const BUILT = resolve(import.meta.dirname, '../../../out/renderer')

/** Scripts and styles that the first rows need: those of the page and all their imports. */
function firstLoad(page: string): readonly string[] {
  const found = new Set<string>()
  const take = (name: string): void => {
    if (found.has(name)) return
    found.add(name)
    const text = readFileSync(join(BUILT, 'assets', name), 'utf8')
    if (name.endsWith('.js'))
      for (const [, other] of text.matchAll(/(?:import|from)\s*["']\.\/([^"']+\.js)["']/g)) take(other ?? '')
  }
  const html = readFileSync(join(BUILT, page), 'utf8')
  for (const [, name] of html.matchAll(/(?:src|href)="\.\/assets\/([^"]+\.(?:js|css))"/g)) take(name ?? '')
  return [...found]
}

for (const page of ['index.html', 'electron.html'])
  test(`the first load of ${page} stays under 155 kB`, () => {
    expect(existsSync(join(BUILT, page)), 'build the window first: npm run build').toBe(true)
    const sizes = firstLoad(page).map((name) => gzipSync(readFileSync(join(BUILT, 'assets', name))).length)
    expect(sizes.length).toBeGreaterThan(3)
    // With modulepreload Chromium would compile them at each opening (electron.vite.config.ts).
    expect(readFileSync(join(BUILT, page), 'utf8')).toMatch(/<link rel="preload" as="script" [^>]*window-/)
    expect(readFileSync(join(BUILT, page), 'utf8')).not.toContain('modulepreload')
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(155_000)
  })

test('nothing moves when the code of menus and handles comes after the first rows', async ({ page }) => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route(/\/(grid-header|columns-menu|kinds-menu)-[^/]*\.js$/, async (route) => {
    await held
    await route.continue()
  })
  await openWindow(page, { count: 200 })
  // Wait for counts and fonts, which load independently of code.
  await expect(page.getByRole('button', { name: /^valid: [1-9]/ })).toBeVisible()
  await page.evaluate(async () => void (await document.fonts.ready))
  // Find and measure in one step, since an element may be replaced in between.
  const places = () =>
    page.evaluate(() => {
      const shown = '[role="columnheader"], header button, header h1, header input, [data-index="0"] > *'
      return [...document.querySelectorAll(shown)].map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect()
        return [element.tagName, x, y, width, height].join(' ')
      })
    })
  const before = await places()
  expect(before.length).toBeGreaterThan(20)
  // The window keeps an early press.
  await page.getByRole('button', { name: 'Columns', exact: true }).click()
  release()
  await expect(page.getByRole('menuitemcheckbox', { name: 'Size' })).toBeVisible()
  await expect(page.getByTestId('resize-time')).toBeAttached()
  await page.keyboard.press('Escape')
  expect((await places()).filter((place) => !before.includes(place))).toEqual([])
})

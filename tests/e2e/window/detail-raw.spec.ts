import type { Page } from '@playwright/test'
import { openBody, tab } from './bodies.ts'
import { expect, test } from './test.ts'
import { copied, details, enter, pill, placeOf, rows } from './window.ts'

const loadAll = (page: Page) => details(page).getByRole('button', { name: /Load all/ })
const tree = (page: Page) => details(page).getByRole('tree')
const line = (page: Page, content: string | RegExp) =>
  tree(page).getByRole('treeitem').filter({ hasText: content })

const EVENT = {
  Event: 'factura.created',
  Timestamp: '2026-11-20T10:42:17-04:00',
  data: {
    DocumentId: '8f1c0f5e-7a51-4d37-9b0e-3a1f8f1f2a11',
    Lines: [{ LineId: 1 }, { LineId: 2 }],
    Accounting: { Total: 0 },
  },
}
const SENT = JSON.stringify(EVENT).replace('"Total":0', '"Total":48320.5000000000000000001')

test('the pretty view keeps digits, folds, tells pointers and goes to a place', async ({ page }) => {
  await openBody(page, SENT)
  await tab(page, 'Raw').click()
  await expect(line(page, '48320.5000000000000000001')).toBeVisible()
  const before = await tree(page).getByRole('treeitem').count()
  const lines = line(page, '"Lines": [')
  await lines.click()
  await tree(page).press('ArrowLeft')
  await expect(line(page, /"Lines": \[ 2 … \]/)).toHaveAttribute('aria-expanded', 'false')
  expect(await tree(page).getByRole('treeitem').count()).toBeLessThan(before)
  await page.keyboard.press('ArrowRight')
  await expect(tree(page).getByRole('treeitem')).toHaveCount(before)
  await line(page, '"LineId": 2').click()
  await expect(details(page).getByText('/data/Lines/1/LineId')).toBeVisible()

  // Go to a place by line, column or pointer; Ctrl+F opens at once.
  await tree(page).press('Control+g')
  const field = details(page).getByRole('textbox', { name: 'Line, line:column or pointer' })
  await expect(field).toBeFocused()
  const chosen = details(page).getByRole('treeitem', { selected: true })
  for (const [typed, shown] of [
    ['2', '"Event"'],
    ['1:50', '"Timestamp"'],
    ['/data/Accounting/Total', '48320.5000000000000000001'],
  ] as const) {
    await enter(field, typed)
    await expect(chosen).toContainText(shown)
  }
  await enter(field, 'somewhere')
  await expect(details(page).getByText(/Enter a line/)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(tree(page)).toBeFocused()
  await page.keyboard.press('Control+c')
  await expect.poll(() => copied(page)).toBe('48320.5000000000000000001')
  const focused = await page.evaluate(async () => {
    const key = { key: 'f', ctrlKey: true, bubbles: true, cancelable: true }
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', key))
    // No other task has run by then.
    await Promise.resolve()
    return document.activeElement?.tagName
  })
  expect(focused).toBe('INPUT')
})

test('what cannot be seen is written out, in every view and as text only', async ({ page, host }) => {
  const hostile = '<img src=x onerror=alert(1)>\u202Egpj.exe\u2066\u0000\u200B'
  await openBody(page, `{"Event":"${hostile}","data":{"CustomerName":"${hostile}"}}`)
  await expect(details(page).getByText('U+202E').first()).toBeVisible()
  await expect(details(page).getByText('␀').first()).toBeVisible()
  await tab(page, 'Raw').click()
  for (const view of ['Text', 'Pretty']) {
    await details(page).getByRole('radio', { name: view }).click()
    await expect(details(page).getByText('U+202E').first()).toBeVisible()
    await expect(details(page).getByText('U+200B').first()).toBeVisible()
  }
  expect(await details(page).locator('img').count()).toBe(0)
  await host.deliver('{"Event":"\u202Egpj.exe"}')
  await pill(page).click()
  await expect(rows(page).getByText('U+202Egpj.exe')).toBeVisible()
  expect(await page.locator('main').evaluate((e) => /[\u202e\u2066\0\u200b]/.test(e.textContent ?? ''))).toBe(
    false,
  )
})

function large(): string {
  const item = (n: number) =>
    `{"LineId":${n},"Description":"${'x'.repeat(400)}","Quantity":${n}.50,"UnitPrice":10}`
  const items = Array.from({ length: 55_000 }, (_, n) => item(n)).join(',')
  return `{"Event":"factura.created","Timestamp":"2026-11-20T10:42:17-04:00","data":{"DocumentId":"x","Lines":[${items}]}}`
}

test('a body of 25 MB opens at once, is cancelled, scrolls without a long task', async ({ page }) => {
  test.setTimeout(120_000)
  await openBody(page, large())
  await tab(page, 'Raw').click()
  await loadAll(page).click()
  await details(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(line(page, '"Event": "factura.created"')).toBeVisible()
  await expect(details(page).getByText(/Showing the first 65\.5 kB of 25/)).toBeVisible()
  await loadAll(page).click()
  await expect(details(page).getByRole('progressbar')).toBeVisible()
  await expect(details(page).getByRole('progressbar')).toHaveCount(0, { timeout: 30_000 })
  await tree(page).press('End')
  await expect(line(page, /^330\d{3}\}$/).last()).toBeVisible()
  await expect(details(page).getByText('(whole body)')).toBeVisible()
  await page.evaluate(() => {
    const tasks: number[] = []
    Object.assign(window, { tasks })
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map((e) => e.duration))).observe({
      type: 'longtask',
    })
  })
  await page.keyboard.press('Home')
  const box = await placeOf(tree(page))
  await page.mouse.move(box.x + 100, box.y + 100)
  for (let n = 0; n < 40; n += 1) {
    await page.mouse.wheel(0, 3_000)
    await page.waitForTimeout(16)
  }
  await page.keyboard.press('Control+f')
  await page.keyboard.type('"LineId":54999')
  await expect(details(page).getByText('1 of 1')).toBeVisible({ timeout: 30_000 })
  await expect(line(page, '"LineId": 54999')).toBeVisible()
  const tasks = await page.evaluate(() => (window as unknown as { tasks: number[] }).tasks)
  // Compared with the same work without a worker, on the same busy machine a moment later: the longest of three.
  const naive = await page.evaluate(
    (body) =>
      Math.max(
        ...[1, 2, 3].map(() => {
          const from = performance.now()
          JSON.stringify(JSON.parse(body), null, 2).split('\n')
          return performance.now() - from
        }),
      ),
    large(),
  )
  expect(Math.max(0, ...tasks)).toBeLessThan(naive)
})

import type { Locator, Page } from '@playwright/test'
import { DEFAULT_JOB_OPTIONS } from '#contract/defaults.ts'
import { broken } from '../../support/axe.ts'
import { anEvent } from '../../support/events.ts'
import { openReconcile, streams } from './reconcile.ts'
import { openWithTargets } from './replays.ts'
import { log, openPart } from './sandbox.ts'
import { expect, test } from './test.ts'
import {
  button,
  copied,
  details,
  dialog,
  filterField,
  goTo,
  grid,
  hostOf,
  openWindow,
  press,
  rowAt,
  rowCount,
} from './window.ts'

const menu = (page: Page): Locator => page.getByRole('menu')
const item = (page: Page, name: string | RegExp): Locator => page.getByRole('menuitem', { name })
const cell = (row: Locator, place: number): Locator => row.getByRole('gridcell').nth(place)

test('a row offers what its cell and its delivery can do, by the pointer', async ({ page, host }) => {
  await openWindow(page, { count: 60 })
  await cell(rowAt(page, 2), 1).click({ button: 'right' })
  await expect(menu(page)).toBeVisible()
  // The menu moves the cursor without opening the row; a row outside the selection is selected first.
  const pointed = await grid(page).getAttribute('aria-activedescendant')
  await expect(rowAt(page, 2)).toHaveAttribute('id', pointed ?? '')
  await expect(details(page)).toHaveCount(0)
  await expect(item(page, /Copy as cURL/)).toContainText('Shift Y')
  await expect(item(page, /^Delete/)).toBeInViewport({ ratio: 1 })
  expect(await broken(page)).toEqual([])
  await press(page, 'Escape')
  await expect(menu(page)).toHaveCount(0)
  await expect(grid(page)).toBeFocused()

  const { rows } = await host.call('deliveries.page', { filter: '', from: 0, limit: 60 })
  const { kind } = rows.at(-3) ?? {}
  await cell(rowAt(page, 2), 1).click({ button: 'right' })
  await item(page, `Exclude kind:${kind}`).click()
  await expect(filterField(page)).toHaveValue(`-kind:${kind}`)
  const { total } = await host.call('deliveries.summary', { filter: `-kind:${kind}` })
  await expect.poll(() => rowCount(page)).toBe(total)

  // The action applies to all selected rows.
  await rowAt(page, 0).click()
  await press(page, 'Escape', 'ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowDown')
  const chosen = grid(page).locator('[aria-selected="true"]')
  await expect(chosen).toHaveCount(3)
  await cell(chosen.nth(1), 2).click({ button: 'right' })
  await expect(chosen).toHaveCount(3)
  await item(page, 'Copy as text').click()
  await expect.poll(async () => (await copied(page)).trim().split('\n').length).toBe(4)
  await cell(rowAt(page, 9), 2).click({ button: 'right' })
  await expect(chosen).toHaveCount(0)
  const compared = page.getByRole('dialog', { name: /^Compar/ })
  await item(page, /^Compare/).click()
  await expect(compared).toBeVisible()
  await press(page, 'Escape')
  await expect(grid(page)).toBeFocused()
  await press(page, 'Shift+F10')
  await item(page, /^Compare/).press('Enter')
  await expect(compared).toBeVisible()
  await press(page, 'Escape')
  await expect(grid(page)).toBeFocused()
})

test('fields, headers and lines of Raw have menus; marked text has none', async ({ page, host }) => {
  const body = anEvent('factura.created', { data: { Number: 'E310000000777', DocumentId: '{8f1c}' } })
  await openWindow(page, { count: 0 })
  await host.deliver(JSON.stringify(body))
  await rowAt(page, 0).click()
  const detail = details(page)
  await detail.getByText('E310000000777').first().click({ button: 'right' })
  expect(await broken(page)).toEqual([])
  await item(page, 'Copy pointer').click()
  await expect.poll(() => copied(page)).toBe('/data/Number')

  // All fields share one tab stop; arrows move between them.
  await button(detail, 'Actions for Event').focus()
  await press(page, 'ArrowDown')
  await expect(button(detail, 'Actions for Timestamp')).toBeFocused()
  await press(page, 'Enter')
  await item(page, 'Copy value').click()
  await expect.poll(() => copied(page)).toBe(body.Timestamp)
  await expect(button(detail, 'Actions for Timestamp')).toBeFocused()

  await detail.getByRole('tab', { name: /Headers/ }).click()
  await detail.getByRole('row', { name: /content-type/i }).click({ button: 'right' })
  await item(page, 'Copy header').click()
  await expect.poll(() => copied(page)).toMatch(/^content-type: /i)

  await detail.getByRole('tab', { name: 'Raw' }).click()
  const line = detail.getByRole('treeitem', { name: /"DocumentId"/ })
  // The field shows its finding, and a screen reader reads both.
  await expect(line).toHaveAttribute('aria-description', /UUID/)
  await line.click()
  await expect(detail.getByText(/UUID/).last()).toBeVisible()
  expect(await broken(page)).toEqual([])
  await press(page, 'Shift+F10')
  await item(page, 'Filter by $.data.DocumentId:"{8f1c}"').click()
  await expect(filterField(page)).toHaveValue('$.data.DocumentId:"{8f1c}"')

  const opened = await line.evaluate((row) => {
    getSelection()?.selectAllChildren(row)
    const press = { bubbles: true, cancelable: true, button: 2 }
    row.dispatchEvent(new PointerEvent('pointerdown', press))
    return !row.dispatchEvent(new MouseEvent('contextmenu', press))
  })
  expect(opened).toBe(false)
})

type Act = readonly [entry: string | RegExp, seen: (page: Page) => Promise<unknown>]
const holds = (entry: string, text: RegExp): Act => [
  entry,
  (page) => expect.poll(() => copied(page)).toMatch(text),
]
const tells: Act[1] = (page) => expect(page.getByRole('status').getByText('Copied:')).toBeVisible()
const asks: Act[1] = (page) => expect(dialog(page).last()).toBeVisible()
const has = (entry: string | RegExp, label: string, value: RegExp): Act => [
  entry,
  (page) => expect(page.getByLabel(label, { exact: true })).toHaveValue(value),
]
const narrows = (entry: string | RegExp, value: RegExp): Act => [
  entry,
  (page) => expect(filterField(page)).toHaveValue(value),
]
const openJobs = async (page: Page) => {
  await openWithTargets(page)
  const options = { ...DEFAULT_JOB_OPTIONS, to: { target: 'down-box' } }
  await hostOf(page).call('jobs.start', { source: { type: 'ids', ids: [197, 198] }, options })
  await goTo(page, 'replays')
}
const openDrift = async (page: Page) => {
  await openWindow(page, { count: 300, at: 'drift' })
  await page.getByRole('row', { name: /factura.created/ }).click()
}
const slider = (name: string) => (page: Page) => page.getByRole('slider', { name })
const first = (list: Locator) => list.locator('[data-key]').first()
const itself = (list: Locator) => list
const DAY = /^\d{4}-\d\d-\d\d/

/** Lists with the line to press and the entries of its menu; the entry that leaves the screen is last. */
const LISTS: readonly [
  name: string,
  open: (page: Page) => Promise<unknown>,
  list: (page: Page) => Locator,
  line: typeof first,
  ...acts: readonly Act[],
][] = [
  [
    'the rows of Reconcile',
    openReconcile,
    streams,
    first,
    holds('Copy number', /^[BE]\d/),
    ['Copy row', tells],
    ['Ignore with a reason…', asks],
    has(/^Filter by [BE]\d/, 'Find', /^[BE]\d/),
  ],
  [
    "Reconcile's chart",
    openReconcile,
    slider('Documents by day of issue'),
    itself,
    holds('Copy counts', /\d missing/),
    has(/^Filter by \d{4}-/, 'Find', DAY),
    has('Sweep this day…', 'From', DAY),
  ],
  [
    'the timeline',
    (page) => openWindow(page, { count: 60 }),
    slider('Deliveries by time of arrival'),
    itself,
    holds('Copy time range', / – /),
    narrows(/^Filter to this time/, /^received:/),
    ['Sweep this time…', (page) => expect(page).toHaveURL(/#\/reconcile\/gap\/\d+-\d+$/)],
  ],
  [
    'the attempts of a job',
    openJobs,
    (page) => page.getByRole('region', { name: /^Job \d/ }).getByRole('grid'),
    first,
    holds('Copy as cURL', /^curl /m),
    ['Replay with options…', asks],
  ],
  [
    'jobs',
    openJobs,
    (page) => page.getByRole('grid', { name: 'Jobs, newest first' }),
    first,
    holds('Copy row', /#1/),
  ],
  [
    "the sandbox's log",
    (page) => openPart(page, 'log', { events: 12 }),
    log,
    first,
    holds('Copy row', /factura\.created/),
    has(/^Filter by factura/, 'Kind', /factura.created/),
  ],
  [
    'Drift',
    openDrift,
    (page) => button(page, 'Actions for /data/StatusId'),
    itself,
    holds('Copy pointer', /^\/data\/StatusId$/),
    narrows('Exclude', /^-\$\.data\.StatusId:\d$/),
  ],
]
for (const [name, open, list, line, ...acts] of LISTS)
  test(`the menu of ${name} opens by pointer and by keys, and does what it says`, async ({ page }) => {
    await open(page)
    await expect(async () => {
      await line(list(page)).click({ button: 'right' })
      await expect(menu(page)).toBeVisible({ timeout: 500 })
    }).toPass()
    expect(await broken(page)).toEqual([])
    await press(page, 'Escape')
    if (line === first) {
      await first(list(page)).hover()
      await first(list(page)).locator('[data-more]').click()
      await expect(menu(page)).toBeVisible()
      await press(page, 'Escape')
    }
    for (const [at, [entry, seen]] of acts.entries()) {
      await list(page).focus()
      await press(page, at === 0 ? 'ContextMenu' : 'Shift+F10')
      await item(page, entry).first().press('Enter')
      // In a submenu, select the first value.
      if (entry === 'Exclude') await press(page, 'Enter')
      await seen(page)
      if (await dialog(page).count()) await press(page, 'Escape')
    }
  })

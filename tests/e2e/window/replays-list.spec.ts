import type { Page } from '@playwright/test'
import { DEFAULT_JOB_OPTIONS } from '#contract/defaults.ts'
import { openWithTargets } from './replays.ts'
import { expect, test } from './test.ts'
import { details, dialog, enter, filterField, goTo, grid, rowAt, rowCount, shows } from './window.ts'

const COUNT = 900
const rowOf = (page: Page, id: number) => rowAt(page, COUNT - id)

/** Runs a job with failing deliveries, and opens one of them from its attempts. */
async function openFailed(page: Page): Promise<number> {
  await goTo(page, 'replays')
  const job = page.getByRole('region', { name: /^Job \d/ })
  await job.getByRole('grid').getByRole('row').last().click()
  const button = job.getByRole('button', { name: /^Delivery #/ })
  const id = Number(/\d+/.exec((await button.textContent()) ?? '')?.[0])
  await button.click()
  await expect(page).toHaveURL(/#\/stream\b/)
  return id
}

test('the list tells how often each was sent and how it ended, and filters so', async ({ page, host }) => {
  await openWithTargets(page)
  await host.call('replay.send', { delivery: 197, to: { target: 'app' }, times: 12 })
  await expect(grid(page).getByRole('columnheader', { name: 'Attempts' })).toBeVisible()
  const titles = await grid(page).getByRole('columnheader').allInnerTexts()
  const cell = rowAt(page, 3)
    .getByRole('gridcell')
    .nth(titles.findIndex((title) => title.trim() === 'Attempts'))
  await expect(cell).toHaveText(/^(200|422|500) ×12$/)
  await host.call('replay.send', { delivery: 198, to: { target: 'down-box' }, times: 1 })
  await enter(filterField(page), 'attempt:failed attempt:down-box')
  await expect.poll(() => rowCount(page)).toBe(1)
  await expect(rowAt(page, 0).getByTitle('Sent once · latest got no answer')).toHaveText('✕')
  await enter(filterField(page), 'attempt:app,down-box')
  await expect.poll(() => rowCount(page)).toBe(2)
})

test('a delivery opened from a job comes into sight, past any filter', { tag: '@long' }, async ({
  page,
  host,
}) => {
  await openWithTargets(page, { count: COUNT })
  await host.call('jobs.start', {
    source: { type: 'ids', ids: [30, 31, 32] },
    options: { ...DEFAULT_JOB_OPTIONS, to: { target: 'down-box' }, include: ['rejected', 'replay'] },
  })
  await goTo(page, 'replays')
  // Each attempt shows its delivery and its error.
  const { event, document } = await host.row(32)
  const line = page.getByRole('region', { name: /^Job \d/ }).getByRole('row', { name: /#32\b/ })
  for (const told of [event, document?.number, document?.party, 'connection refused', 'Nothing listens'])
    if (told) await expect(line).toContainText(told)
  const mark = line.locator('[data-column="outcome"] > :first-child')
  // The error begins after the whole mark.
  expect(await mark.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0)
  const id = await openFailed(page)
  await expect(details(page)).toBeVisible()
  await expect(rowOf(page, id)).toBeInViewport()

  await filterField(page).fill('verdict:unreadable')
  await openFailed(page)
  await shows(page, `Delivery ${id} is open, but this filter keeps it out of the list.`)
  await page.getByRole('button', { name: 'Show it without the filter' }).click()
  await expect(rowOf(page, id)).toBeInViewport()
  await expect(page.getByText('keeps it out of the list')).toHaveCount(0)
})

test('while the host searches for a job’s deliveries, the sheet waits', { tag: '@long' }, async ({
  page,
  host,
}) => {
  await openWithTargets(page)
  host.api.alter('jobs.preview', { searching: { scanned: 12_000, of: 48_000 } })
  await goTo(page, 'replays/jobs')
  await page.getByRole('button', { name: 'New job' }).first().click()
  await expect(dialog(page).getByText('Searched 12,000 of 48,000 deliveries')).toBeVisible()
  await expect(dialog(page).getByRole('progressbar')).toHaveAttribute('aria-valuenow', '12000')
  await expect(dialog(page).getByRole('button', { name: /^Send \d+ deliveries/ })).toBeDisabled()
  host.api.pass('jobs.preview')
  await expect(dialog(page).getByRole('button', { name: /^Send \d+ deliveries/ })).toBeEnabled()
  await expect(dialog(page).getByRole('progressbar')).toHaveCount(0)
})

import type { Page } from '@playwright/test'
import { openWithTargets } from './replays.ts'
import { expect, test } from './test.ts'
import { details, dialog, filterField, goTo, grid, rowAt } from './window.ts'

const COUNT = 900
const rowOf = (page: Page, id: number) => rowAt(page, COUNT - id)

/** Fails deliveries in a job, and opens one of them from its attempts. */
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

test('the list tells how often each delivery was sent, as it is sent', async ({ page, host }) => {
  await openWithTargets(page)
  await expect(grid(page).getByRole('columnheader', { name: 'Attempts' })).toBeVisible()
  const titles = await grid(page).getByRole('columnheader').allInnerTexts()
  const cell = rowAt(page, 3)
    .getByRole('gridcell')
    .nth(titles.findIndex((title) => title.trim() === 'Attempts'))
  await expect(cell).toHaveText('–')
  await host.call('replay.send', { delivery: 197, to: { target: 'app' }, times: 12 })
  await expect(cell).toHaveText('12')
})

test('a delivery opened from a job is brought into sight; a filter that keeps it out is told, and can be cleared', async ({
  page,
  host,
}) => {
  await openWithTargets(page, { count: COUNT })
  await host.call('jobs.start', {
    source: { type: 'ids', ids: [30, 31, 32] },
    options: {
      to: { target: 'down-box' },
      order: 'arrival',
      concurrency: 1,
      ratePerSecond: null,
      gaps: null,
      stopAfterFailures: null,
      retry: { times: 0, delayMs: 0 },
      failures: ['5xx'],
      include: ['rejected', 'replay'],
    },
  })
  const id = await openFailed(page)
  await expect(details(page)).toBeVisible()
  await expect(rowOf(page, id)).toBeInViewport()

  await filterField(page).fill('verdict:unreadable')
  await openFailed(page)
  await expect(
    page.getByText(`Delivery ${id} is open, but this filter keeps it out of the list.`),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Show it without the filter' }).click()
  await expect(rowOf(page, id)).toBeInViewport()
  await expect(page.getByText('keeps it out of the list')).toHaveCount(0)
})

test('answers that differ are compared in the sheet, any two of them, and Esc leads back to it', async ({
  page,
}) => {
  await openWithTargets(page)
  await rowAt(page, 5).click()
  await page.keyboard.press('Shift+R')
  await dialog(page).getByLabel('Send to').selectOption('flaky')
  await dialog(page).getByLabel('Times').fill('12')
  await dialog(page).getByRole('button', { name: 'Send 12 times' }).click()
  await expect(dialog(page).getByText(/12 answers, \d different ones/)).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Compare', exact: true }).first().click()
  await expect(dialog(page).getByRole('region', { name: 'Comparison' })).toBeVisible()
  await dialog(page).getByLabel('First answer').selectOption({ index: 10 })
  await dialog(page).getByLabel('Second answer').selectOption({ index: 11 })
  await expect(dialog(page).getByRole('heading', { name: 'Answers of attempts 11 and 12' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog(page).getByText(/12 answers, \d different ones/)).toBeVisible()
  await expect(dialog(page).getByLabel('Times')).toHaveValue('12')
})

test('while the host still searches for what a job would send, the sheet says how far it is and waits', async ({
  page,
  host,
}) => {
  await openWithTargets(page)
  host.api.answer('jobs.preview', async (_, ask) => ({
    ...(await ask()),
    searching: { scanned: 12_000, of: 48_000 },
  }))
  await goTo(page, 'replays/jobs')
  await page.getByRole('button', { name: 'New job' }).first().click()
  await expect(dialog(page).getByText('Searched 12,000 of 48,000 deliveries')).toBeVisible()
  await expect(dialog(page).getByRole('progressbar')).toHaveAttribute('aria-valuenow', '12000')
  await expect(dialog(page).getByRole('button', { name: /^Send \d+ deliveries/ })).toBeDisabled()
  host.api.pass('jobs.preview')
  await expect(dialog(page).getByRole('button', { name: /^Send \d+ deliveries/ })).toBeEnabled()
  await expect(dialog(page).getByRole('progressbar')).toHaveCount(0)
})

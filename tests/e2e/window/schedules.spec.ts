import type { Page } from '@playwright/test'
import type { ScheduleRun } from '#contract/schedule.ts'
import { broken } from '../../support/axe.ts'
import type { WindowHost } from '../../support/window-host.ts'
import { openReconcile, openWorld } from './reconcile.ts'
import { expect, test } from './test.ts'
import { closeBy, dialog, tells } from './window.ts'

/** Ends a run of the schedule, as after its due time. */
async function finish(host: WindowHost, found: Partial<ScheduleRun>): Promise<void> {
  const { schedules } = await host.call('schedules.list', {})
  const now = Date.now()
  const last: ScheduleRun = {
    ...{ startedAt: now - 4_000, endedAt: now, by: 'schedule', sweeps: [1], from: null, to: null },
    ...{ missing: 0, differs: 0, fresh: 0, recovery: null, error: null },
    ...found,
  }
  const ended = schedules.map((state) => ({ ...state, last }))
  host.api.answer('schedules.list', () => ({ schedules: ended }))
  for (const state of ended) host.api.push('schedules.finished', state)
  host.api.push('schedules.changed', { schedules: ended })
}

async function schedule(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Schedule of produccion' }).click()
  await closeBy(page, 'Save')
  // The listener for runs loads with the first schedule.
  await expect(page.getByRole('contentinfo').getByRole('button', { name: /^produccion/ })).toBeVisible()
}

test('a schedule is made by keyboard, run, and removed', async ({ page, host }) => {
  const { service } = await openWorld(page, { count: 60, at: 'settings/connections' })
  // Without listed documents none can be missing.
  service.documents = []
  await page.getByRole('button', { name: 'Schedule of produccion' }).press('Enter')
  await dialog(page).getByText('At a time of day').click()
  expect(await broken(page, '[role="dialog"]')).toEqual([])
  await dialog(page).getByLabel('Time of day').fill('06:30')
  await dialog(page).getByRole('checkbox', { name: 'Mon' }).press('Space')
  await dialog(page).getByRole('button', { name: 'Save' }).press('Enter')
  await expect(dialog(page)).toHaveCount(0)
  const time = { at: '06:30', weekdays: ['mon'] }
  expect(host.api.sent('schedules.save')).toMatchObject([
    { connection: 'produccion', enabled: true, time, overlapMinutes: 1440 },
  ])
  await expect(page.getByText('Swept at 06:30 on Mon')).toBeVisible()
  const bar = page.getByRole('contentinfo')
  await expect(bar.getByRole('button', { name: /produccion: next sweep/ })).toBeVisible()

  await page.getByRole('button', { name: 'Schedule of produccion' }).click()
  await dialog(page).getByRole('button', { name: 'Run now' }).click()
  await expect(dialog(page).getByText('Nothing missing.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(bar.getByRole('button', { name: 'produccion: nothing missing' })).toBeVisible()

  await page.getByRole('button', { name: 'Schedule of produccion' }).click()
  await dialog(page).getByRole('button', { name: 'Remove schedule' }).click()
  await expect(bar.getByRole('button', { name: /produccion/ })).toHaveCount(0)
})

test('a miss is told once, and opens its sweep', async ({ page, host }) => {
  await openWorld(page, { count: 60, at: 'settings/connections' })
  await schedule(page)
  await finish(host, { missing: 3, differs: 1, fresh: 2 })
  const notice = page.getByRole('alert').filter({ hasText: 'Events of produccion' })
  await tells(notice, 'Events of produccion were missed', '3 documents missing, 1 differs, 2 of them new.')
  expect(await broken(page)).toEqual([])
  await notice.getByRole('button', { name: 'Open the sweep' }).click()
  await expect(page).toHaveURL(/#\/reconcile\/sweep-1$/)
  await expect(notice).toHaveCount(0)
  await finish(host, { missing: 3, differs: 1, fresh: 0 })
  const bar = page.getByRole('contentinfo')
  await expect(bar.getByRole('button', { name: 'produccion: 3 missing' })).toBeVisible()
  await expect(notice).toHaveCount(0)
  const error = { code: 'unauthorised', message: 'no', params: {} }
  await finish(host, { missing: null, differs: null, error })
  const failed = bar.getByRole('button', { name: 'produccion: sweep failed' })
  await expect(failed).toHaveAttribute('title', /does not accept the API key/)
})

test('schedules are seen where sweeps are: set up, paused, run, opened', async ({ page, host }) => {
  await openReconcile(page, { count: 60 })
  const list = page.getByRole('dialog', { name: 'Scheduled sweeps', exact: true })
  const line = list.getByRole('listitem').filter({ hasText: 'produccion' })
  const open = () => page.getByRole('button', { name: 'Schedules' }).press('Enter')
  await open()
  await expect(line).toContainText('No schedule')
  expect(await broken(page, '[role="dialog"]')).toEqual([])
  await line.getByRole('button', { name: 'Set up…' }).press('Enter')
  await dialog(page).getByRole('button', { name: 'Save' }).press('Enter')
  await expect(dialog(page)).toHaveCount(0)
  await open()
  await expect(line).toContainText(/Swept every 60 min · next run/)
  await line.getByRole('switch', { name: 'On' }).press('Space')
  await expect(line.getByRole('switch', { name: 'Paused' })).toBeVisible()
  await expect(line).not.toContainText('next run')
  await line.getByRole('button', { name: 'Run now' }).press('Enter')
  await expect(line.getByRole('status')).toContainText(/\d .*new\. · last run/)
  expect(await broken(page, '[role="dialog"]')).toEqual([])
  await line.getByRole('button', { name: 'Open the sweep' }).press('Enter')
  await expect(page).toHaveURL(/#\/reconcile\/sweep-2$/)
  expect(host.api.sent('schedules.save')).toMatchObject([{ enabled: true }, { enabled: false }])
})

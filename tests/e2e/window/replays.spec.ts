import { broken } from '../../support/axe.ts'
import { replayTargets } from '../../support/replay-targets.ts'
import { changeJob, openWithTargets } from './replays.ts'
import { expect, test } from './test.ts'
import { details, dialog, goTo, grid, rowAt } from './window.ts'

test('r sends the row pointed at to the default target at once and shows the answer, which opens as an attempt', async ({
  page,
  host,
}) => {
  await openWithTargets(page)
  await grid(page).focus()
  await page.keyboard.press('j')
  await page.keyboard.press('r')
  await expect(page.getByRole('button', { name: 'Open attempt' })).toBeVisible()
  expect(host.api.sent('replay.send')).toEqual([{ delivery: 200, to: { target: 'app' } }])
  await expect(grid(page)).toBeFocused()
  await page.getByRole('button', { name: 'Open attempt' }).click()
  await expect(details(page).getByRole('tab', { name: 'Attempts' })).toHaveAttribute('aria-selected', 'true')
  await expect(details(page).getByRole('heading', { name: 'Attempt 1' })).toBeVisible()
  await expect(details(page).getByText('Request as sent')).toBeVisible()
})

test('without a default target r opens the sheet; a wrong URL is told, and a right one is sent to', async ({
  page,
  host,
}) => {
  await openWithTargets(page)
  for (const name of ['app', 'staging', 'flaky', 'down-box']) await host.call('targets.remove', { name })
  await rowAt(page, 2).click()
  await page.keyboard.press('r')
  const url = dialog(page).getByLabel('URL', { exact: true })
  await url.fill('http://ana:secret@example.com/')
  await expect(dialog(page).getByText(/Remove user and password/)).toBeVisible()
  await expect(dialog(page).getByRole('button', { name: 'Send', exact: true })).toBeDisabled()
  const target = `${(await replayTargets()).url}/staging`
  await url.fill(target)
  await expect(dialog(page).getByText(`POST ${target}`)).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Send', exact: true }).click()
  await expect(dialog(page)).toHaveCount(0)
  expect(host.api.sent('replay.send')).toEqual([{ delivery: 198, to: { target } }])
})

test('an edited copy says what was changed, is checked, is sent as an edit, and compares with the original', async ({
  page,
  host,
}) => {
  await openWithTargets(page)
  await rowAt(page, 3).click()
  await expect(page.getByRole('tab', { name: 'Attempts' })).toBeVisible()
  await page.keyboard.press('Shift+R')
  const body = dialog(page).getByRole('textbox', { name: 'Body to send' })
  await expect(body).toHaveValue(/^\{"Event"/)
  await expect(dialog(page).getByText('Sent exactly as received')).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Format' }).click()
  await expect(body).toHaveValue(/^\{\n/)
  await body.fill('{\n  "Event": "factura.created",\n  oops\n}')
  await expect(dialog(page).getByText(/Line 3, column 3/)).toBeVisible()
  await body.fill('{"Event":"factura.created","Timestamp":"x","data":{}}')
  await expect(
    dialog(page)
      .getByText(/finding/)
      .first(),
  ).toBeVisible()
  await expect(dialog(page).getByRole('tab', { name: 'Body · changed' })).toBeVisible()
  await dialog(page).getByRole('tab', { name: 'Headers' }).click()
  const secret = dialog(page).getByLabel('Value of header 4')
  await expect(secret).toHaveAttribute('type', 'password')
  await dialog(page).getByRole('button', { name: 'Remove header 3, User-Agent' }).click()
  await dialog(page).getByRole('tab', { name: 'Method and URL' }).click()
  await dialog(page).getByLabel('Path and query').fill('no-slash')
  await expect(dialog(page).getByText(/Begin with “\/”/)).toBeVisible()
  await expect(dialog(page).getByRole('button', { name: 'Send', exact: true })).toBeDisabled()
  await dialog(page).getByRole('button', { name: 'Reset to received' }).click()
  await dialog(page).getByRole('button', { name: 'Send', exact: true }).click()
  await expect(dialog(page)).toHaveCount(0)
  const [params] = host.api.sent('replay.send') as { edit: Record<string, unknown> }[]
  expect(Object.keys(params?.edit ?? {}).sort()).toEqual(['bodyBase64', 'headers'])
  await page.getByRole('button', { name: 'Open attempt' }).click()
  await details(page).getByRole('button', { name: 'Compare with the original' }).click()
  await expect(details(page).getByRole('heading', { name: 'What attempt 1 changed' })).toBeVisible()
  await expect(details(page).getByRole('row', { name: /User-Agent/ })).toContainText('absent')
  await page.keyboard.press('Escape')
  await expect(details(page).getByRole('heading', { name: 'Attempt 1' })).toBeVisible()
})

test('axe finds nothing in the replay sheet', async ({ page }) => {
  await openWithTargets(page, { count: 60 })
  await rowAt(page, 3).click()
  await page.keyboard.press('Shift+R')
  await dialog(page).getByRole('textbox', { name: 'Body to send' }).fill('{"Event":')
  expect(await broken(page)).toEqual([])
  await dialog(page).getByRole('tab', { name: 'Headers' }).click()
  expect(await broken(page)).toEqual([])
  await dialog(page)
    .getByRole('radio', { name: /Everything/ })
    .click()
  await dialog(page).getByText('More options', { exact: true }).click()
  await dialog(page).getByLabel('In parallel').fill('0')
  await expect(dialog(page).getByText('Enter 1 to 256.')).toBeVisible()
  expect(await broken(page)).toEqual([])
})

test('attempts come newest first, live; secrets are masked until they are revealed', async ({
  page,
  host,
}) => {
  await openWithTargets(page)
  await rowAt(page, 3).click()
  await details(page).getByRole('tab', { name: 'Attempts' }).click()
  await expect(details(page).getByText('No attempts yet')).toBeVisible()
  await host.call('replay.send', { delivery: 197, to: { target: 'staging' } })
  await host.call('replay.send', { delivery: 197, to: { target: 'down-box' } })
  const attempts = details(page).getByRole('grid', { name: 'Attempts, newest first' })
  await expect(attempts.getByRole('row')).toHaveCount(2)
  await expect(attempts.getByRole('row').first()).toContainText('connection refused')
  await attempts.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(details(page).getByText('Time', { exact: true })).toBeVisible()
  await expect(details(page).getByText('17 characters')).toBeVisible()
  await details(page).getByRole('button', { name: 'Reveal secrets' }).click()
  await expect(details(page).getByText('Bearer 4f2a9c0d1e')).toBeVisible()
  expect(await broken(page)).toEqual([])
  await details(page).getByLabel('Compare with…').selectOption({ index: 1 })
  await expect(details(page).getByRole('heading', { name: 'Answers of attempts 2 and 1' })).toBeVisible()
})

test('sending n times says whether the answers are equal, and compares those that are not', async ({
  page,
}) => {
  await openWithTargets(page)
  await rowAt(page, 5).click()
  await details(page).getByRole('tab', { name: 'Attempts' }).click()
  const send = details(page).getByRole('button', { name: 'Send', exact: true })
  // Once, unless the user asks for more: then there is nothing to compare.
  await send.click()
  await expect(details(page).getByRole('status').getByRole('listitem')).toHaveCount(1)
  await expect(details(page).getByText(/answers? (is|are) equal/)).toHaveCount(0)
  await details(page).getByLabel('Times').fill('4')
  await send.click()
  await expect(details(page).getByText('4 of 4 answers are equal')).toBeVisible()
  await expect(details(page).getByRole('tab', { name: 'Attempts' })).toContainText('5')
  await details(page).getByLabel('Times').fill('101')
  await expect(details(page).getByText('1 to 100')).toBeVisible()
  await details(page).getByLabel('Times').fill('12')
  await details(page).getByLabel('Send to').selectOption('flaky')
  await send.click()
  await expect(details(page).getByText(/12 answers, \d different ones/)).toBeVisible()
  await details(page).getByRole('button', { name: 'Compare', exact: true }).first().click()
  await expect(details(page).getByRole('region', { name: 'Comparison' })).toBeVisible()
  expect(await broken(page)).toEqual([])
  await details(page).getByRole('button', { name: 'Back' }).click()
  await expect(details(page).getByText(/12 answers, \d different ones/)).toBeVisible()
})

test('several rows are chosen with Shift and Ctrl, sent as one job by r, and deselected by Esc', async ({
  page,
  host,
}) => {
  await openWithTargets(page)
  await grid(page).focus()
  await page.keyboard.press('j')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await expect(page.getByText('3 selected')).toBeVisible()
  expect(await broken(page)).toEqual([])
  await rowAt(page, 8).click({ modifiers: ['Control'] })
  await rowAt(page, 1).click({ modifiers: ['Control'] })
  await expect(page.getByText('3 selected')).toBeVisible()
  await page.keyboard.press('r')
  await expect(page.getByRole('button', { name: 'Open job' })).toBeVisible()
  expect(host.api.sent('jobs.start')).toMatchObject([
    { source: { type: 'ids', ids: [192, 198, 200] }, options: { to: { target: 'app' }, order: 'arrival' } },
  ])
  await page.keyboard.press('Escape')
  await expect(page.getByText('3 selected')).toHaveCount(0)
  await page.keyboard.press('Control+a')
  await expect(page.getByText('200 selected')).toBeVisible()
  await page.keyboard.press('r')
  await expect(dialog(page).getByRole('radio', { name: 'Everything · 200' })).toBeChecked()
  await expect(dialog(page).getByText(/deliveries will be sent/)).toBeVisible()
})

test('the sheet previews a job live and says what is left out; the job is followed to its end', async ({
  page,
}) => {
  await openWithTargets(page, { count: 300 })
  const { hold } = await replayTargets()
  hold(true)
  await rowAt(page, 2).click()
  await page.keyboard.press('Shift+R')
  await dialog(page).getByRole('radio', { name: 'Everything · 300' }).click()
  await expect(dialog(page).getByText(/skipped; More options can include/)).toBeVisible()
  await dialog(page).getByLabel('Rate').fill('10')
  await expect(dialog(page).getByText(/Takes at least (29|30) s/)).toBeVisible()
  await dialog(page).getByText('More options', { exact: true }).click()
  await dialog(page).getByRole('switch', { name: 'Send rejected deliveries too' }).click()
  await expect(dialog(page).getByText(/rejected deliver(y is|ies are) skipped/)).toHaveCount(0)
  await dialog(page).getByLabel('Statuses that count as failure').fill('teapot')
  await expect(dialog(page).getByText(/Write statuses such as 404 or 4xx/)).toBeVisible()
  expect(await broken(page, '[role="dialog"]')).toEqual([])
  await expect(dialog(page).getByRole('button', { name: /^Send/ })).toBeDisabled()
  await dialog(page).getByLabel('Statuses that count as failure').fill('5xx')
  await dialog(page).getByLabel('Rate').fill('500')
  await dialog(page)
    .getByRole('button', { name: /^Send \d+ deliver/ })
    .click()
  await page.getByRole('button', { name: 'Open job' }).click()
  const job = page.getByRole('region', { name: 'Job 1' })
  await expect(job.getByText('running')).toBeVisible()
  hold(false)
  await expect(job.getByText('done', { exact: true })).toBeVisible({ timeout: 10_000 })
  await job.getByRole('radio', { name: 'Failed' }).click()
  await expect(job.getByRole('grid').getByRole('row').first()).toContainText(/500|422|refused/)
  await job.getByRole('grid').getByRole('row').first().click()
  await job.getByRole('button', { name: /^Delivery #/ }).click()
  await expect(page).toHaveURL(/#\/stream\b/)
  await expect(details(page)).toBeVisible()
})

test('a job is paused, resumed, cancelled after a question, its failed ones sent again, and removed', async ({
  page,
  host,
}) => {
  await openWithTargets(page)
  const { hold } = await replayTargets()
  hold(true)
  await goTo(page, 'replays')
  await expect(page.getByText('No replay jobs yet')).toBeVisible()
  await page.getByRole('button', { name: 'New job' }).first().click()
  await dialog(page)
    .getByRole('button', { name: /^Send \d+ deliver/ })
    .click()
  const job = page.getByRole('region', { name: 'Job 1' })
  await job.getByRole('button', { name: 'Pause' }).click()
  hold(false)
  await expect(job.getByText('paused')).toBeVisible()
  // What the host still says of the pause may come behind the change.
  await expect(async () => {
    await changeJob(host, { pausedBy: 'restart', uncertain: 2 })
    await expect(job.getByText(/no delivery is skipped/)).toBeVisible({ timeout: 1_000 })
    await expect(job.getByText(/2 were on their way when Acuse ended/)).toBeVisible({ timeout: 1_000 })
  }).toPass()
  host.api.pass('jobs.get')
  host.api.pass('jobs.list')
  await job.getByRole('button', { name: 'Resume' }).click()
  await expect(job.getByRole('button', { name: 'Retry failed' })).toBeEnabled({ timeout: 10_000 })
  expect(await broken(page)).toEqual([])
  hold(true)
  await job.getByRole('button', { name: 'Retry failed' }).click()
  await job.getByRole('button', { name: 'Cancel job' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('cannot be resumed')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel job' }).click()
  hold(false)
  // Attempts that were cut off say the same.
  await expect(job.getByText('cancelled').first()).toBeVisible()
  await job.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('No replay jobs yet')).toBeVisible()
  for (const command of [
    'jobs.pause',
    'jobs.resume',
    'jobs.retry-failed',
    'jobs.cancel',
    'jobs.remove',
  ] as const)
    expect(host.api.sent(command)).toEqual([{ id: 1 }])
})

test('after missed pushes jobs and attempts are asked for again', async ({ page, host }) => {
  await openWithTargets(page)
  await goTo(page, 'replays')
  await expect(page.getByText('No replay jobs yet')).toBeVisible()
  const before = host.api.sent('jobs.list').length
  await host.losePush()
  await expect.poll(async () => host.api.sent('jobs.list').length).toBeGreaterThan(before)
})

test('a job that the disk holds up says so in its row and beside it, and no more once it goes on', async ({
  page,
  host,
}) => {
  await openWithTargets(page)
  const { hold } = await replayTargets()
  hold(true)
  await host.call('jobs.start', {
    source: { type: 'filter', filter: '' },
    options: {
      ...{ to: { target: 'staging' }, order: 'arrival', concurrency: 1, ratePerSecond: null, gaps: null },
      ...{ stopAfterFailures: null, retry: { times: 0, delayMs: 0 }, failures: ['5xx'], include: [] },
    },
  })
  await goTo(page, 'replays')
  const row = page.getByRole('grid', { name: 'Jobs, newest first' }).getByRole('row').first()
  const job = page.getByRole('region', { name: /1$/ })
  await expect(row).toBeVisible()
  await expect(row).not.toContainText('waits')
  await changeJob(host, { stall: { code: 'storage', message: 'disk full' } })
  await expect(row).toContainText('waits')
  await expect(job).toContainText('resumes by itself. disk full')
  await changeJob(host, { stall: null })
  await expect(job).not.toContainText('resumes by itself. disk full')
  await expect(row).not.toContainText('waits')
  hold(false)
})

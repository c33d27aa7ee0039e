import { expect, test } from './app.ts'

test('after a day with an outage, the log tells what was lost (B, Proof)', async ({ app, window }) => {
  test.slow()
  await window.getByRole('link', { name: 'Sandbox' }).click()
  await window.getByRole('button', { name: 'Start the sandbox' }).click()
  await expect(window.getByText('Running', { exact: true })).toBeVisible()
  const parts = window.getByRole('navigation', { name: 'Parts of the sandbox' })
  await parts.getByRole('button', { name: 'Scenarios' }).click()
  await window.getByRole('textbox', { name: 'Documents of Day with an outage' }).fill('40')
  await window.getByRole('button', { name: 'Run Day with an outage' }).click()
  const row = window.getByRole('listitem').filter({ hasText: 'outage-day' })
  const result = row.getByRole('status')
  await expect(row.getByRole('button', { name: 'Show in the log' })).toBeVisible()
  await expect(row.getByRole('progressbar')).toHaveCount(0)
  const told = (await result.textContent()) ?? ''
  const figure = (pattern: RegExp) => Number(pattern.exec(told)?.[1]?.replaceAll(',', '') ?? 0)
  const events = figure(/([\d,]+) events/)
  const delivered = figure(/([\d,]+) delivered/)
  const lost = events - delivered
  expect(lost).toBeGreaterThan(0)
  expect(delivered).toBeGreaterThan(0)

  // The receiver has all delivered events; the log shows the others as lost.
  await expect.poll(async () => (await app.client.call('status.get', {})).counts.stored).toBe(delivered)
  await row.getByRole('button', { name: 'Show in the log' }).click()
  const log = window.getByRole('grid', { name: 'Execution log, newest first' })
  await expect(log).toHaveAttribute('aria-rowcount', String(events + 1))
  await window.getByRole('checkbox', { name: 'Lost' }).click()
  await expect(log).toHaveAttribute('aria-rowcount', String(lost + 1))
})

test('one press makes the sandbox an account to compare with', async ({ app, window }) => {
  await window.getByRole('link', { name: 'Reconcile' }).click()
  await window.getByRole('button', { name: 'Use the sandbox' }).click()
  await window.getByRole('button', { name: 'Run sweep', exact: true }).click()
  await expect(window.getByRole('region', { name: 'Sweep 1' })).toContainText('complete')
  const { connections } = await app.client.call('settings.get', {})
  expect(connections).toMatchObject([{ name: 'sandbox', apiKey: 'stored', pluginToken: 'stored' }])
})

import type { Page } from '@playwright/test'
import { KINDS } from '#catalog/kinds.ts'
import { expect, list, test } from './app.ts'

const options = (window: Page) => window.getByRole('listbox', { name: 'The 28 kinds' }).getByRole('option')
const part = (window: Page, name: string) =>
  window.getByRole('navigation', { name: 'Parts of the sandbox' }).getByRole('button', { name })

async function openSandbox(window: Page): Promise<void> {
  await window.getByRole('link', { name: 'Sandbox' }).click()
  await window.getByRole('button', { name: 'Start the sandbox' }).click()
  await expect(window.getByText('Running', { exact: true })).toBeVisible()
}

test('each of the 28 kinds, fired by the screen, arrives with the verdict valid (B, Proof)', {
  tag: '@long',
}, async ({ window }) => {
  test.slow()
  await openSandbox(window)
  const send = window.getByRole('button', { name: /^Send/ })
  const result = window.getByRole('status').filter({ hasText: /^1 event/ })
  for (const { kind } of KINDS) {
    await options(window)
      .filter({ hasText: new RegExp(`^${kind.replace('.', '\\.')}$`) })
      .click()
    const editor = window.getByRole('textbox', { name: `Body of ${kind}` })
    await expect(editor).toHaveValue(new RegExp(`"Event": "${kind.replace('.', '\\.')}"`))
    await send.click()
    await expect(result).toContainText('answered 200')
  }
  await window.getByRole('link', { name: 'Stream' }).click()
  await expect(list(window)).toHaveAttribute('aria-rowcount', String(KINDS.length + 1))
  await window.getByRole('button', { name: 'valid: 28 deliveries' }).click()
  await expect(list(window)).toHaveAttribute('aria-rowcount', String(KINDS.length + 1))
  const { rows: stored } = await window.evaluate(async () => {
    const answer = await fetch('/api/deliveries.page', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Acuse': localStorage.getItem('acuse.session') ?? '',
      },
      body: JSON.stringify({ filter: '', from: 0, limit: 100 }),
    })
    return (await answer.json()) as { rows: { kind: string; verdict: string }[] }
  })
  expect(stored.map(({ kind, verdict }) => `${kind} ${verdict}`)).toEqual(
    KINDS.map(({ kind }) => `${kind} valid`),
  )
})

test('after a day with an outage, the log tells the truth about what was lost (B, Proof)', async ({
  app,
  window,
}) => {
  test.slow()
  await openSandbox(window)
  await part(window, 'Scenarios').click()
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

  // What was delivered is what the receiver has; what was not stands in the log as lost.
  await expect.poll(async () => (await app.client.call('status.get', {})).counts.stored).toBe(delivered)
  await row.getByRole('button', { name: 'Show in the log' }).click()
  const log = window.getByRole('grid', { name: 'Execution log, newest first' })
  await expect(log).toHaveAttribute('aria-rowcount', String(events + 1))
  await window.getByRole('checkbox', { name: 'Lost' }).click()
  await expect(log).toHaveAttribute('aria-rowcount', String(lost + 1))
})

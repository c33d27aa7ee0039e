import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { KINDS } from '#catalog/kinds.ts'
import { DELIVERY_METHODS } from '#catalog/service.ts'
import { aBody } from '../../support/events.ts'
import { expect, filterTo, list, rows, test } from './app.ts'

const run = promisify(execFile)

test('shows each of the 28 kinds as valid, whether it came by GET, PUT or POST, and keeps their bytes (Receiver contract, 1)', async ({
  app,
  window,
}) => {
  test.slow()
  const sent: Buffer[] = []
  for (const { kind } of KINDS)
    for (const method of DELIVERY_METHODS) {
      const body = Buffer.from(aBody(kind))
      expect(await app.deliver(method, `/hooks/${method}`, body)).toBe(200)
      sent.push(body)
    }
  await expect(list(window)).toHaveAttribute('aria-rowcount', String(sent.length + 1))
  await filterTo(window, 'verdict:valid', sent.length)
  await app.client.call('deliveries.settled', { timeoutMs: 30_000 })
  const { rows: stored } = await app.client.call('deliveries.page', { filter: '', from: 0, limit: 100 })
  const three = KINDS.flatMap(({ kind }) => DELIVERY_METHODS.map((method) => `${method} ${kind}`))
  expect(stored.map(({ method, kind }) => `${method} ${kind}`)).toEqual(three)
  for (const [index, body] of sent.entries()) {
    const bytes = { view: 'raw', from: 0, length: 100_000 } as const
    const kept = await app.client.call('deliveries.body', { id: index + 1, ...bytes })
    expect(Buffer.from(kept.bytesBase64, 'base64').equals(body)).toBe(true)
  }
})

test('keeps a rejected delivery apart and answers it 401 (Authentication, rule 1)', async ({
  app,
  window,
}) => {
  const secret = { name: 'default', header: 'X-Webhook-Secret', value: 'correct horse' }
  await app.client.call('endpoints.set-secret', { ...secret, keepPrevious: false })
  const body = Buffer.from(aBody('customer.created'))
  expect(await app.deliver('POST', '/', body)).toBe(401)
  expect(await app.deliver('POST', '/', body, ['X-Webhook-Secret', 'correct horse'])).toBe(200)
  await filterTo(window, 'is:rejected', 1)
  await filterTo(window, '-is:rejected', 1)
  await rows(window).first().click()
  await window.getByRole('tab', { name: /headers/i }).click()
  await expect(window.getByRole('tabpanel')).not.toContainText('correct horse')
})

test('the empty window gives a command that really sends a first, valid event', async ({ window }) => {
  await expect(window.getByText('Waiting for the first delivery')).toBeVisible()
  const command = await window.locator('pre, code').filter({ hasText: 'curl' }).first().textContent()
  await run('sh', ['-c', command ?? ''])
  await expect(rows(window).first()).toContainText('customer.created')
  await expect(rows(window).first()).toContainText('valid')
})

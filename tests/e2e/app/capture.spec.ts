import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { KINDS } from '#catalog/kinds.ts'
import { DELIVERY_METHODS } from '#catalog/service.ts'
import { aBody } from '../../support/events.ts'
import { expect, filterTo, list, rows, test } from './app.ts'

const run = promisify(execFile)

test('shows each of the 28 kinds with its verdict, whether it came by GET, PUT or POST (Receiver contract, 1)', async ({
  app,
  window,
}) => {
  test.setTimeout(120_000)
  const sent: Buffer[] = []
  for (const { kind } of KINDS)
    for (const method of DELIVERY_METHODS) {
      const body = Buffer.from(aBody(kind))
      expect(await app.deliver(method, `/hooks/${method}`, body)).toBe(200)
      sent.push(body)
    }
  await expect(list(window)).toHaveAttribute('aria-rowcount', String(sent.length + 1))
  for (const { kind } of KINDS) {
    await filterTo(window, `kind:${kind}`, DELIVERY_METHODS.length)
    for (const row of await rows(window).all()) {
      await expect(row).toContainText(kind)
      await expect(row).toContainText('valid')
    }
  }
  for (const [index, body] of sent.entries()) {
    const kept = await app.client.call('deliveries.body', {
      id: index + 1,
      view: 'raw',
      from: 0,
      length: 100_000,
    })
    expect(Buffer.from(kept.bytesBase64, 'base64').equals(body)).toBe(true)
  }
})

test('shows a delivery the moment it arrives, and what is wrong with it beside the field', async ({
  app,
  window,
}) => {
  await expect(list(window)).toHaveCount(0)
  await app.deliver('POST', '/', Buffer.from(aBody('factura.created', { data: { DocumentId: '{8f1c}' } })))
  await expect(rows(window).first()).toContainText('invalid')
  await window.keyboard.press('j')
  await window.keyboard.press('Enter')
  await expect(window.getByText('/data/DocumentId').first()).toBeVisible()
})

test('keeps a rejected delivery apart and answers it 401 (Authentication, rule 1)', async ({
  app,
  window,
}) => {
  await app.client.call('endpoints.set-secret', {
    name: 'default',
    header: 'X-Webhook-Secret',
    value: 'correct horse',
    keepPrevious: false,
  })
  const body = Buffer.from(aBody('customer.created'))
  expect(await app.deliver('POST', '/', body)).toBe(401)
  expect(await app.deliver('POST', '/', body, ['X-Webhook-Secret', 'battery staple'])).toBe(401)
  expect(await app.deliver('POST', '/', body, ['X-Webhook-Secret', 'correct horse'])).toBe(200)
  await filterTo(window, 'is:rejected', 2)
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

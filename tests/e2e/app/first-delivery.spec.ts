import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, rows, test } from './app.ts'

const run = promisify(execFile)

test('the empty window gives a command that really sends a first, valid event', async ({ window }) => {
  await expect(window.getByText('Waiting for the first delivery')).toBeVisible()
  const command = await window.locator('pre, code').filter({ hasText: 'curl' }).first().textContent()
  await run('sh', ['-c', command ?? ''])
  await expect(rows(window).first()).toContainText('customer.created')
  await expect(rows(window).first()).toContainText('valid')
})

test('the empty window lists why nothing may arrive, in the order of the reading (Delivery)', async ({
  window,
}) => {
  const items = window.getByRole('list').filter({ hasText: 'Corporativo' }).getByRole('listitem')
  const order = [/Corporativo/, /active/, /kind/, /outside/, /receiver/]
  await expect(items).toHaveCount(order.length)
  const texts = await items.allTextContents()
  for (const [index, pattern] of order.entries()) expect(texts[index]).toMatch(pattern)
})

import { createServer, request } from 'node:http'
import type { Page } from '@playwright/test'
import { broken } from '../../support/axe.ts'
import { opened } from '../../support/listening-port.ts'
import { expect, test } from './test.ts'
import { closeBy, copied, dialog, enter, openWindow, rowAt, shows } from './window.ts'

/** Forwards requests from another address to the receiver, and adds a header. */
async function openTunnel(receiver: string): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((asked, answer) => {
    const headers = [...asked.rawHeaders, 'CF-Ray', '9a1b2c3d4e5f-MIA']
    const { method, url: path } = asked
    const onward = request(receiver, { method, path, headers }, (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers)
      given.pipe(answer)
    })
    asked.pipe(onward)
  })
  return { url: `http://127.0.0.1:${await opened(server)}/`, close: () => void server.close() }
}

const bar = (page: Page) => page.getByRole('contentinfo')

test('by keyboard from the status bar: command, public address, proof', async ({ page, host }) => {
  await openWindow(page, { count: 20 })
  const receiver = host.receiverUrl
  const tunnel = await openTunnel(receiver)
  await bar(page).getByRole('button', { name: receiver, exact: true }).press('Enter')
  await expect(dialog(page).getByText(`cloudflared tunnel --url ${receiver.slice(0, -1)}`)).toBeVisible()

  await dialog(page).getByRole('radio', { name: 'ngrok' }).click()
  await dialog(page).getByRole('button', { name: 'Copy the command' }).click()
  await expect.poll(() => copied(page)).toBe(`ngrok http ${receiver.slice(0, -1)}`)
  const address = dialog(page).getByLabel('Public address')
  const advice = dialog(page).getByText(/Use HTTPS/)
  await address.fill('http://hooks.example/in')
  await expect(advice.first()).toBeVisible()
  await address.fill('https://hooks.example/in')
  await expect(advice).toHaveCount(0)
  await enter(address, tunnel.url)
  await dialog(page).getByRole('button', { name: 'Send a test' }).press('Enter')
  await shows(dialog(page), 'Received unchanged', 'Header CF-Ray added:')
  // A local tunnel cannot stand for an outside address, so the test replaces the address in the result.
  const { last } = await host.call('connect.state', {})
  if (!last) throw new Error('no test was made')
  const outside = { ...last, url: 'https://hooks.example/in' }
  host.api.answer('connect.test', () => outside)
  host.api.alter('connect.state', { last: outside })
  const saved = host.api.hold('settings.update')
  await enter(address, outside.url)
  // Until the address is saved there is nothing to test, and what was selected stays.
  await expect(dialog(page).getByRole('button', { name: 'Send a test' })).toHaveCount(0)
  saved()
  await dialog(page).getByRole('button', { name: 'Send a test' }).press('Enter')
  await expect(dialog(page).getByText(/https:\/\/hooks\.example\/in reached this receiver at/)).toBeVisible()
  await expect(dialog(page).getByRole('radio', { name: 'ngrok' })).toBeChecked()
  expect(await broken(page)).toEqual([])

  await closeBy(page, 'Open the delivery')
  await expect(page.locator('[data-detail]')).toBeVisible()
  await host.settled()
  await expect(rowAt(page, 0)).toContainText('connectivity test')
  await expect(rowAt(page, 0)).not.toContainText('invalid')
  tunnel.close()
})

test('the network is offered, and opened with a warning', async ({ page, host }) => {
  await openWindow(page, { count: 20 })
  host.api.answer('connect.state', () => ({
    addresses: [{ address: '192.168.1.20', family: 4, name: 'eth0' }],
    last: null,
  }))
  await bar(page).getByRole('button', { name: host.receiverUrl, exact: true }).click()
  await dialog(page).getByRole('radio', { name: 'On my network' }).click()
  await expect(dialog(page).getByText(/listens on 127.0.0.1 only/)).toBeVisible()
  // Tests never open the receiver to the network, so this answer only claims it.
  const state = { state: 'listening', url: 'http://0.0.0.0:4400/', host: '0.0.0.0', port: 4400 } as const
  host.api.answer('receiver.start', async () => ({ ...(await host.call('status.get', {})), receiver: state }))
  await dialog(page).getByRole('button', { name: 'Listen on the network too' }).click()
  await expect.poll(() => host.api.sent('receiver.start')).toEqual([{ host: '0.0.0.0' }])
  await host.status({ receiver: state })
  await expect(dialog(page).getByText('http://192.168.1.20:4400/', { exact: true })).toBeVisible()
  await expect(dialog(page).getByText(/Use HTTPS/)).toBeVisible()
  expect(await broken(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
})

test('before the first delivery the checklist says what is known', async ({ page, host }) => {
  await openWindow(page, { count: 0 })
  const items = page.getByRole('list').filter({ hasText: 'Corporativo' }).getByRole('listitem')
  await expect(items).toHaveCount(5)
  await expect(items.nth(3)).toContainText('No public address set')
  await expect(items.nth(4)).toContainText('Yes:The receiver is on')
  await host.call('receiver.stop', {})
  await expect(items.nth(4)).toContainText('No:The receiver is on')
  const off = page.getByRole('status').filter({ hasText: 'The receiver was stopped.' })
  expect(await broken(page)).toEqual([])
  await items.nth(3).getByRole('button').click()
  await expect(dialog(page).getByText(/The receiver is off: nothing can arrive/)).toBeVisible()
  expect(await broken(page)).toEqual([])
  await page.keyboard.press('Escape')
  await off.getByRole('button', { name: 'Close' }).click()
  await expect(off).toHaveCount(0)
  // Closing hides the message for this stop only; the next stop shows it again.
  await page.getByRole('button', { name: 'Start the receiver' }).click()
  await expect(bar(page)).toContainText('Listening')
  await expect(items.nth(4)).toContainText('Yes:The receiver is on')
  await host.call('receiver.stop', {})
  await off.getByRole('button', { name: 'Start receiver' }).press('Enter')
  await expect(items.nth(4)).toContainText('Yes:The receiver is on')
  await expect(off).toHaveCount(0)
})

import type { Page } from '@playwright/test'
import { broken } from '../../support/axe.ts'
import { expect, test } from './test.ts'
import { atHost, openWindow } from './window.ts'

const dialog = (page: Page) => page.getByRole('dialog')
const bar = (page: Page) => page.getByRole('contentinfo')

test('by keyboard from the status bar: command, public address, proof, and the checklist knows of it', async ({
  page,
}) => {
  await openWindow(page, { count: 20 })
  await bar(page).getByRole('button', { name: 'http://127.0.0.1:4400/', exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByText('cloudflared tunnel --url http://127.0.0.1:4400')).toBeVisible()
  await dialog(page).getByRole('radio', { name: 'ngrok' }).click()
  await expect(dialog(page).getByText('ngrok http http://127.0.0.1:4400')).toBeVisible()

  const address = dialog(page).getByLabel('Public address')
  await address.fill('hooks.example')
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByText('Give a whole address')).toBeVisible()
  await address.fill('http://hooks.example/in')
  await expect(
    dialog(page)
      .getByText(/HTTPS should always be used/)
      .first(),
  ).toBeVisible()
  await address.fill('https://hooks.example/in')
  await page.keyboard.press('Enter')
  await dialog(page).getByRole('button', { name: 'Send a test' }).press('Enter')
  await expect(dialog(page).getByText('It arrived as it was sent')).toBeVisible()
  await expect(dialog(page).getByText('Header CF-Ray added:')).toBeVisible()
  await expect(dialog(page).getByText(/https:\/\/hooks\.example\/in led here at/)).toBeVisible()
  expect(await broken(page)).toEqual([])

  await dialog(page).getByRole('button', { name: 'Open the delivery' }).click()
  await expect(dialog(page)).toHaveCount(0)
  await expect(page.locator('[data-detail]')).toBeVisible()
})

test('each way to fail says what happened, and what somebody else answered', async ({ page }) => {
  await openWindow(page, { count: 20 })
  await atHost(page, (host) => {
    host.settings = {
      ...host.settings,
      receiver: { ...host.settings.receiver, publicUrl: 'https://hooks.example/' },
    }
    host.push('settings.changed', host.settings)
    host.connect.found = {
      outcome: 'elsewhere',
      arrival: null,
      answer: {
        ...{ status: 502, statusText: '', server: 'cloudflare', location: null },
        ...{ text: '<h1>Bad gateway</h1>', hint: 'tunnel-upstream' },
      },
    }
  })
  await bar(page).getByRole('button', { name: 'http://127.0.0.1:4400/', exact: true }).click()
  await dialog(page).getByRole('button', { name: 'Send a test' }).click()
  await expect(dialog(page).getByText('Something else answered')).toBeVisible()
  await expect(dialog(page).getByText(/Answered 502 by cloudflare.*does not reach Acuse/)).toBeVisible()
  await expect(dialog(page).getByText('<h1>Bad gateway</h1>')).toBeVisible()
  await expect(dialog(page).getByText(/The test of https:\/\/hooks.example\/ at .* failed/)).toBeVisible()
})

test('the network is offered where the receiver listens on it, and opened with a warning where not', async ({
  page,
}) => {
  await openWindow(page, { count: 20 })
  await bar(page).getByRole('button', { name: 'http://127.0.0.1:4400/', exact: true }).click()
  await dialog(page).getByRole('radio', { name: 'In my network' }).click()
  await expect(dialog(page).getByText(/listens on 127.0.0.1 only/)).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Listen on the network too' }).click()
  await expect(dialog(page).getByText('http://192.168.1.20:4400/', { exact: true })).toBeVisible()
  await expect(dialog(page).getByText(/HTTPS should always be used/)).toBeVisible()
  expect(await broken(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
})

test('before the first delivery the checklist stands in its order, with what is known', async ({ page }) => {
  await openWindow(page, { count: 0 })
  const items = page.getByRole('list').filter({ hasText: 'Corporativo' }).getByRole('listitem')
  await expect(items).toHaveCount(5)
  await expect(items.nth(0)).toContainText('To check:The plan is Corporativo')
  await expect(items.nth(1)).toContainText('The subscription is active')
  await expect(items.nth(2)).toContainText('selected in the subscription')
  await expect(items.nth(3)).toContainText('No public address is known')
  await expect(items.nth(4)).toContainText('Yes:The receiver is on')
  await atHost(page, (host) => host.setStatus({ receiver: { state: 'off' } }))
  await expect(items.nth(4)).toContainText('No:The receiver is on')
  await items.nth(3).getByRole('button').click()
  await expect(dialog(page).getByText(/The receiver is off: whatever address/)).toBeVisible()
  expect(await broken(page)).toEqual([])
})

test('HTTPS is set in Settings: own files with what is wrong beside them, or a certificate by Acuse', async ({
  page,
}) => {
  await openWindow(page, { count: 20 })
  await page.goto(`${page.url()}#/settings/receiver`)
  await page.getByRole('radio', { name: 'HTTPS, your certificate' }).click()
  await page.getByLabel('Certificate', { exact: true }).fill('/etc/tls/chain.pem')
  await page.getByLabel('Key', { exact: true }).fill('/etc/tls/key.pem')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(() => atHost(page, (host) => host.settings.receiver.tls))
    .toEqual({ certificate: '/etc/tls/chain.pem', key: '/etc/tls/key.pem' })
  await atHost(page, (host) =>
    host.setStatus({
      receiver: {
        ...{ state: 'listening', url: 'https://127.0.0.1:4400/', host: '127.0.0.1', port: 4400 },
        tls: {
          ...{ source: 'files', names: ['hooks.example.do'], validFrom: 0, validTo: 1_800_000_000_000 },
          fingerprint: Array.from({ length: 32 }, () => 'A7').join(':'),
        },
      },
    }),
  )
  await expect(page.getByText('For hooks.example.do.')).toBeVisible()
  await expect(page.getByText(/^A7:A7:A7/)).toBeVisible()
  expect(await broken(page)).toEqual([])
})

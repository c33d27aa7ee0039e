import { broken } from '../../support/axe.ts'
import { expect, test } from './test.ts'
import { button, click, closeBy, dialog, fill, goTo, openWindow, shows, take } from './window.ts'

test.beforeEach(async ({ page, host }) => {
  await openWindow(page, { count: 200 })
  const range = { oldest: 1_763_700_000_000_000, newest: 1_763_800_000_000_000 }
  const going = { bytes: 4_123_456, pinnedExempt: 3, trash: { deliveries: 0, bytes: 0 } }
  host.api.answer('retention.preview', ({ keepNewest }) => ({
    ...{ ...going, ...range },
    deliveries: keepNewest === 200 ? 0 : 1_312,
  }))
  host.api.answer('retention.apply', () => ({ ...going, deliveries: 1_312, oldest: null, newest: null }))
  await goTo(page, 'settings')
  await expect(page.getByRole('heading', { name: 'Receiver' })).toBeVisible()
})

test('an address beyond loopback is warned about; wrong values stay', async ({ page, host }) => {
  // Tests never open the receiver to the network.
  host.api.answer('settings.update', async ({ receiver }) => {
    const settings = await host.call('settings.get', {})
    return { ...settings, receiver: { ...settings.receiver, ...receiver } }
  })
  await page.getByLabel('Address', { exact: true }).fill('0.0.0.0')
  await expect(page.getByText(/Other machines can reach this address/)).toBeVisible()
  await page.getByLabel('Port', { exact: true }).fill('99999')
  await expect(page.getByText('Enter a whole number from 0 to 65535.')).toBeVisible()
  expect(await broken(page)).toEqual([])
  await page.getByRole('button', { name: 'Save' }).click()
  expect(host.api.sent('settings.update')).toEqual([])
  await page.getByLabel('Port', { exact: true }).fill('4500')
  await page.getByRole('button', { name: 'Save' }).click()
  const sent = () => host.api.sent('settings.update')
  await expect.poll(sent).toEqual([{ receiver: { host: '0.0.0.0', port: 4500 } }])
  await expect(page.getByRole('button', { name: 'Save' })).toBeHidden()
})

test('a new endpoint is checked field by field', async ({ page, host }) => {
  const answer = { status: 200, headers: [], body: '', delayMs: 0 }
  await host.call('endpoints.save', { name: 'taken', path: '/refused', enabled: true, answer })
  await page.getByRole('button', { name: 'Add endpoint' }).click()
  await dialog(page).getByLabel('Name', { exact: true }).fill('Bad Name')
  await fill(dialog(page), { Path: '/refused', Status: '99' })
  await page.keyboard.press('Enter')
  await shows(dialog(page), /Use 1 to 60 characters/, 'Enter a whole number from 200 to 599.')
  expect(await broken(page, '[role="dialog"]')).toEqual([])
  expect(host.api.sent('endpoints.save')).toEqual([])
  await dialog(page).getByLabel('Name', { exact: true }).fill('erp')
  await dialog(page).getByLabel('Status').fill('202')
  await dialog(page).getByRole('button', { name: 'Add header' }).click()
  await fill(dialog(page), { 'Name of header 1': 'X-Ok', 'Value of header 1': '1', Body: '{"ok":true}' })
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await shows(dialog(page), 'Another endpoint has this path; choose a different one.')
  await expect(dialog(page).getByLabel('Body')).toHaveValue('{"ok":true}')
  await dialog(page).getByLabel('Path').fill('/erp')
  await closeBy(page, 'Save')
  expect(host.api.sent('endpoints.save').at(-1)).toEqual({
    name: 'erp',
    path: '/erp',
    enabled: true,
    answer: { status: 202, headers: [['X-Ok', '1']], body: '{"ok":true}', delayMs: 0 },
  })
  await expect(page.getByText(`${host.receiverUrl}erp`)).toBeVisible()
  await page.getByRole('switch', { name: 'erp enabled' }).click()
  await expect(page.getByText('answers 404')).toBeVisible()
})

test('a secret is set, rotated with the previous one accepted, and taken away', async ({ page, host }) => {
  const open = () => take(page, 'More for default', 'Secret header…')
  await open()
  const value = dialog(page).getByLabel('Value', { exact: true })
  await expect(value).toHaveAttribute('type', 'password')
  await dialog(page).getByRole('button', { name: 'Set secret' }).click()
  await expect(dialog(page).getByText('Enter the value that the service will send.')).toBeVisible()
  expect(await broken(page, '[role="dialog"]')).toEqual([])
  await dialog(page).getByRole('button', { name: 'Generate a random value' }).click()
  await expect(value).toHaveValue(/^[\w-]{43}$/)
  await dialog(page).getByRole('button', { name: 'Set secret' }).click()
  await expect(page.getByText('requires X-Webhook-Secret')).toBeVisible()
  await open()
  await value.fill('the-next-one')
  await dialog(page).getByRole('button', { name: 'Replace secret' }).click()
  await expect(page.getByText('two values accepted')).toBeVisible()
  const next = { name: 'default', header: 'X-Webhook-Secret', value: 'the-next-one', keepPrevious: true }
  expect(host.api.sent('endpoints.set-secret').at(-1)).toEqual(next)
  await open()
  await dialog(page).getByRole('button', { name: 'End the rotation' }).click()
  await expect(dialog(page).getByText('one value is accepted')).toBeVisible()
  await click(dialog(page), 'Remove the secret', 'Cancel')
  await expect(page.getByText('no secret header')).toBeVisible()
})

test('what will be deleted is told before anything goes, and asked for once more', async ({ page, host }) => {
  await shows(
    page,
    /1,312 deliveries will be deleted, 4\.1 MB/,
    '3 pinned deliveries stay.',
    /[\d.]+ [kM]B in the log/,
  )
  await page.getByRole('radio', { name: 'By count' }).click()
  await page.getByLabel('Keep only the newest').fill('200')
  await expect(page.getByText('Nothing to delete.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Delete…' })).toBeDisabled()
  await page.getByLabel('Keep only the newest').fill('100')
  await page.getByRole('button', { name: 'Delete 1,312 deliveries…' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('cannot be undone')
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
  expect(host.api.sent('retention.apply')).toEqual([])
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('1,312 deliveries were deleted, 4.1 MB.')).toBeVisible()
  expect(host.api.sent('retention.apply')).toEqual([{ keepNewest: 100 }])
})

test('an empty folder begins to follow a shared log, by keyboard; the password is not shown again', {
  tag: '@long',
}, async ({ page, host }) => {
  const facts = {
    replicated: true,
    receivers: [
      {
        name: 'north',
        address: 'https://north:4400/',
        up: true,
        seenAt: '2026-11-27T10:00:00Z',
        singleCopies: 0,
        outdated: false,
      },
      {
        ...{ name: 'south', address: null, up: false, seenAt: '2026-11-27T09:00:00Z' },
        ...{ singleCopies: 3, outdated: true },
      },
    ],
  }
  const log = 'postgres://reader@db1,db2/acuse'
  const own = { log: null, from: null, mayFollow: true, restart: false, reason: null, behind: null }
  host.api.answer('source.get', () => ({ ...own, replicated: false, receivers: [] }))
  host.api.answer('source.test', () => facts)
  host.api.answer('source.follow', ({ from }) => ({
    ...{ ...own, ...facts, log, from },
    ...{ mayFollow: false, restart: true, behind: 12 },
  }))
  await goTo(page, 'stream')
  await goTo(page, 'settings')
  const section = page
    .locator('section', { has: page.getByRole('heading', { name: 'Source', exact: true }) })
    .last()
  await section.getByLabel('Shared log').focus()
  await page.keyboard.type('db1')
  await section.getByRole('button', { name: 'Follow', exact: true }).press('Enter')
  await expect(section.getByText('Enter an address such as')).toBeVisible()
  expect(await broken(page)).toEqual([])
  await section.getByLabel('Shared log').fill(log)
  await section.getByLabel('Password').fill('hidden')
  await expect(section.getByLabel('Password')).toHaveAttribute('type', 'password')
  host.api.refuse('source.test', 'The shared log cannot be reached: db1:5432: connect ECONNREFUSED 10.0.0.1.')
  await section.getByRole('button', { name: 'Test the connection' }).press('Enter')
  const away = page.getByRole('alert')
  await expect(away).toHaveText(
    'The shared log cannot be reached. Reason: db1:5432: connect ECONNREFUSED 10.0.0.1.',
  )
  await host.call('settings.update', { appearance: { language: 'es' } })
  await expect(away).toContainText('compartido. Motivo: esa dirección rechaza la conexión')
  await host.call('settings.update', { appearance: { language: 'en' } })
  host.api.answer('source.test', () => facts)
  await section.getByRole('button', { name: 'Test the connection' }).press('Enter')
  await expect(section.getByText('The shared log can be reached.')).toBeVisible()
  await section.getByText('a day', { exact: true }).click()
  await section.getByLabel('Day (UTC)').fill('2026-11-01')
  await page.keyboard.press('Enter')
  await expect(section.getByText('Restart Acuse to follow the shared log.')).toBeVisible()
  expect(host.api.sent('source.follow')).toEqual([{ log, password: 'hidden', from: '2026-11-01' }])
  await expect(section).toContainText('12 records')
  await expect(section).toContainText('south · not listening · 3 single copies · old endpoints')
  expect(await section.locator('input').count()).toBe(0)
  expect(await broken(page)).toEqual([])
})

test('updates: the last check has its own date, and a finished download waits for the user', async ({
  page,
  host,
}) => {
  host.api.answer('updates.get', () => ({
    state: 'current',
    checkedAt: Date.parse('2025-03-05T12:00:00Z'),
  }))
  host.api.answer('updates.check', () => ({ state: 'ready', version: '1.1.0' }))
  await goTo(page, 'stream')
  await goTo(page, 'settings/about')
  await expect(page.getByText(/Last check: Mar 5, 2025/)).toBeVisible()
  await click(page, 'Check now')
  await expect(page.getByText(/Version 1\.1\.0 is ready\. .*the receiver is off/)).toBeVisible()
  await expect(button(page, 'Restart and install')).toBeEnabled()
  expect(await broken(page)).toEqual([])
})

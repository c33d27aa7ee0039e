import type { Page } from '@playwright/test'
import { broken } from '../../support/axe.ts'
import { expect, test } from './test.ts'
import { atHost, openWindow } from './window.ts'

/** Opens the settings on a host that has endpoints and refuses a path that is taken, as the engine does. */
async function openSettings(page: Page, query: Record<string, string | number> = {}): Promise<void> {
  await openWindow(page, { count: 200, ...query })
  await atHost(page, (host) => {
    const call = host.platform.call
    const sent: { command: string; params: Record<string, unknown> }[] = []
    Object.assign(window, { sent })
    // Refusals are of the window's own class, which only an error that it made can lend.
    const lent = call('deliveries.get', { id: 1_000_000 }).catch((error: Error) => error)
    const refuse = async (path: string) => {
      const refusal = { code: 'conflict', message: 'refused by the host', details: { path } }
      throw Object.assign(Object.create(Object.getPrototypeOf(await lent)), {
        message: refusal.message,
        refusal,
      })
    }
    const change = (change: object) => {
      host.settings = { ...host.settings, ...change }
      return host.settings
    }
    type Endpoints = typeof host.settings.endpoints
    const handlers: Record<string, (params: Record<string, unknown>) => unknown> = {
      'endpoints.save': ({ previousName, ...endpoint }) => {
        if (endpoint.path === '/refused') return refuse('path')
        const others = host.settings.endpoints.filter((e) => e.name !== previousName)
        const secret = host.settings.endpoints.find((e) => e.name === previousName)?.secret ?? null
        return change({ endpoints: [...others, { ...endpoint, secret }] as unknown as Endpoints })
      },
      'endpoints.remove': ({ name }) =>
        change({ endpoints: host.settings.endpoints.filter((e) => e.name !== name) }),
      'endpoints.set-secret': ({ name, header, keepPrevious }) =>
        change({
          endpoints: host.settings.endpoints.map((e) =>
            e.name === name ? { ...e, secret: { header: String(header), values: keepPrevious ? 2 : 1 } } : e,
          ),
        }),
      'endpoints.clear-secret': ({ name, which }) =>
        change({
          endpoints: host.settings.endpoints.map((e) =>
            e.name === name && e.secret
              ? { ...e, secret: which === 'all' ? null : { ...e.secret, values: 1 } }
              : e,
          ),
        }),
      'retention.preview': ({ keepNewest }) => ({
        deliveries: keepNewest === 200 ? 0 : 1_312,
        bytes: 4_123_456,
        pinnedExempt: 3,
        trash: { deliveries: 0, bytes: 0 },
        oldest: 1_763_700_000_000_000,
        newest: 1_763_800_000_000_000,
      }),
      'retention.apply': () => ({
        deliveries: 1_312,
        bytes: 4_123_456,
        pinnedExempt: 3,
        trash: { deliveries: 0, bytes: 0 },
        oldest: null,
        newest: null,
      }),
    }
    Object.assign(host.platform, {
      call: async (command: string, params: Record<string, unknown>) => {
        sent.push({ command, params })
        const handler = handlers[command]
        return handler ? handler(params) : call(command as never, params as never)
      },
    })
  })
  await page.evaluate(() => {
    location.hash = '#/settings'
  })
  await expect(page.getByRole('heading', { name: /Receiver|Receptor/ })).toBeVisible()
}

const sent = (page: Page, command: string) =>
  page.evaluate(
    (name) =>
      (window as unknown as { sent: { command: string; params: unknown }[] }).sent
        .filter((s) => s.command === name)
        .map((s) => s.params),
    command,
  )
const dialog = (page: Page) => page.getByRole('dialog')

test('an address beyond loopback is warned about, and wrong values stay with their reason', async ({
  page,
}) => {
  await openSettings(page)
  await page.getByLabel('Address', { exact: true }).fill('0.0.0.0')
  await expect(page.getByText(/can be reached from outside/)).toBeVisible()
  await page.getByLabel('Port', { exact: true }).fill('99999')
  await expect(page.getByText('Give a whole number from 0 to 65535.')).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  expect(await sent(page, 'settings.update')).toEqual([])
  await page.getByLabel('Port', { exact: true }).fill('4500')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(() => sent(page, 'settings.update'))
    .toEqual([{ receiver: { host: '0.0.0.0', port: 4500 } }])
  await expect(page.getByRole('button', { name: 'Save' })).toBeHidden()
})

test('the bounds of connections are saved when they are in range', async ({ page }) => {
  await openSettings(page)
  await page.getByLabel('Connections in all').fill('9')
  await page.getByLabel('Connections per address').fill('0')
  await expect(page.getByText('Give a whole number from 10 to 50000.')).toBeVisible()
  await expect(page.getByText('Give a whole number from 1 to 50000.')).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  expect(await sent(page, 'settings.update')).toEqual([])
  await page.getByLabel('Connections in all').fill('500')
  await page.getByLabel('Connections per address').fill('50')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(() => sent(page, 'settings.update'))
    .toEqual([{ receiver: { maxConnections: 500, maxConnectionsPerAddress: 50 } }])
  await expect(page.getByRole('button', { name: 'Save' })).toBeHidden()
})

test('a taken port is told with the next free one, which one press uses', async ({ page }) => {
  await openSettings(page)
  await atHost(page, (host) =>
    host.setStatus({
      receiver: {
        state: 'failed',
        failure: {
          code: 'port-in-use',
          host: '127.0.0.1',
          port: 4400,
          message: 'EADDRINUSE',
          nextFreePort: 4403,
        },
      },
    }),
  )
  const section = page.getByRole('region', { name: 'Receiver' })
  await section.getByRole('button', { name: 'Use port 4403' }).click()
  await expect(section.getByText('http://127.0.0.1:4403/')).toBeVisible()
})

test('a new endpoint is checked field by field, in both languages, and nothing typed is lost', async ({
  page,
}) => {
  await openSettings(page)
  await page.getByRole('button', { name: 'Add endpoint' }).click()
  await dialog(page).getByLabel('Name', { exact: true }).fill('Bad Name')
  await dialog(page).getByLabel('Path').fill('/refused')
  await dialog(page).getByLabel('Status').fill('99')
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByText(/Use 1 to 60 characters/)).toBeVisible()
  await expect(dialog(page).getByText('Give a whole number from 200 to 599.')).toBeVisible()
  expect(await sent(page, 'endpoints.save')).toEqual([])
  await dialog(page).getByLabel('Name', { exact: true }).fill('erp')
  await dialog(page).getByLabel('Status').fill('202')
  await dialog(page).getByRole('button', { name: 'Add header' }).click()
  await dialog(page).getByLabel('Name of header 1').fill('X-Ok')
  await dialog(page).getByLabel('Value of header 1').fill('1')
  await dialog(page).getByLabel('Body').fill('{"ok":true}')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(
    dialog(page).getByText('Another endpoint has this path; choose a different one.'),
  ).toBeVisible()
  await expect(dialog(page).getByLabel('Body')).toHaveValue('{"ok":true}')
  await dialog(page).getByLabel('Path').fill('/erp')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(dialog(page)).toHaveCount(0)
  expect((await sent(page, 'endpoints.save')).at(-1)).toEqual({
    name: 'erp',
    path: '/erp',
    enabled: true,
    answer: { status: 202, headers: [['X-Ok', '1']], body: '{"ok":true}', delayMs: 0 },
  })
  await expect(page.getByText('http://127.0.0.1:4400/erp')).toBeVisible()
  await page.getByRole('switch', { name: 'erp enabled' }).click()
  await expect(page.getByText('answers 404')).toBeVisible()

  await page.getByRole('radio', { name: 'Español' }).click()
  await page.getByRole('button', { name: 'Agregar punto' }).click()
  await dialog(page).getByLabel('Nombre', { exact: true }).fill('erp')
  await page.keyboard.press('Enter')
  await expect(
    dialog(page).getByText('Otro punto de recepción tiene ese nombre; elija uno distinto.'),
  ).toBeVisible()
})

test('a secret is set, rotated with the previous one accepted, and taken away', async ({ page }) => {
  await openSettings(page)
  const open = async () => {
    await page.getByRole('button', { name: 'More for default' }).click()
    await page.getByRole('menuitem', { name: 'Secret header…' }).click()
  }
  await open()
  const value = dialog(page).getByLabel('Value', { exact: true })
  await expect(value).toHaveAttribute('type', 'password')
  await dialog(page).getByRole('button', { name: 'Set secret' }).click()
  await expect(dialog(page).getByText('Give the value that the service will send.')).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Generate a random value' }).click()
  await expect(value).toHaveValue(/^[\w-]{43}$/)
  await dialog(page).getByRole('button', { name: 'Set secret' }).click()
  await expect(page.getByText('requires X-Webhook-Secret')).toBeVisible()
  await open()
  await value.fill('the-next-one')
  await dialog(page).getByRole('button', { name: 'Replace secret' }).click()
  await expect(page.getByText('two values accepted')).toBeVisible()
  expect((await sent(page, 'endpoints.set-secret')).at(-1)).toEqual({
    name: 'default',
    header: 'X-Webhook-Secret',
    value: 'the-next-one',
    keepPrevious: true,
  })
  await open()
  await dialog(page).getByRole('button', { name: 'End the rotation' }).click()
  await expect(dialog(page).getByText('one value is accepted')).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Remove the check' }).click()
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('no secret header')).toBeVisible()
})

test('what would go is told before anything goes, and asked for once more', async ({ page }) => {
  await openSettings(page)
  await expect(page.getByText(/1,312 deliveries would go, 4\.1 MB/)).toBeVisible()
  await expect(page.getByText('3 pinned ones stay.')).toBeVisible()
  await page.getByRole('radio', { name: 'By count' }).click()
  await page.getByLabel('Keep only the newest').fill('200')
  await expect(page.getByText('Nothing would go.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Delete…' })).toBeDisabled()
  await page.getByLabel('Keep only the newest').fill('100')
  await page.getByRole('button', { name: 'Delete 1,312 deliveries…' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('cannot be undone')
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
  expect(await sent(page, 'retention.apply')).toEqual([])
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('1,312 deliveries were deleted, 4.1 MB.')).toBeVisible()
  expect(await sent(page, 'retention.apply')).toEqual([{ keepNewest: 100 }])
})

test('a weak secret store is told plainly, and every part is reached by its name in the address', async ({
  page,
}) => {
  await openSettings(page)
  await page
    .getByRole('navigation', { name: 'Sections of the settings' })
    .getByRole('button', { name: 'About' })
    .click()
  await expect(page.getByRole('heading', { name: 'About' })).toBeFocused()
  expect(await page.evaluate(() => location.hash)).toBe('#/settings/about')
  // The part scrolled, not the window: rail and status bar stay where they are.
  await expect(page.getByRole('navigation', { name: 'Screens' })).toBeInViewport({ ratio: 1 })
  await expect(page.getByText('/home/ana/.local/share/acuse', { exact: true })).toBeVisible()
})

test('axe finds nothing in the settings and their dialogs', async ({ page }) => {
  test.setTimeout(90_000)
  await openSettings(page, {})
  await page.getByLabel('Address', { exact: true }).fill('0.0.0.0')
  await page.getByLabel('Port', { exact: true }).fill('x')
  expect(await broken(page)).toEqual([])
  await page.getByRole('button', { name: 'Edit default' }).click()
  await dialog(page).getByLabel('Status').fill('1')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  expect(await broken(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'More for default' }).click()
  expect(await broken(page)).toEqual([])
  await page.getByRole('menuitem', { name: 'Secret header…' }).click()
  expect(await broken(page)).toEqual([])
})

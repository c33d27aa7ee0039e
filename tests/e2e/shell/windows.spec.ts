import { expect, type JSHandle, type Page, test } from '@playwright/test'
import { callInPage, type Desktop, openDesktop } from '../../support/desktop.ts'
import { anEvent } from '../../support/events.ts'

/** The stand-in's record of the desktop, which tests read in `shell.shown`. */
interface Shown {
  readonly tray: {
    icon: string
    tip: string
    menu: { getMenuItemById(id: string): { click(): void } | null }
  } | null
  readonly notifications: readonly { title: string; body: string; click(): void }[]
}

const post = (url: string, body: string) => fetch(url, { method: 'POST', body })
const CREATED = JSON.stringify(anEvent('factura.created'))

test.describe('several windows, the tray and notifications', () => {
  test.describe.configure({ mode: 'serial' })
  let desktop: Desktop
  let url = ''
  let shown: JSHandle<Shown>
  test.beforeAll(async () => {
    desktop = await openDesktop()
    url = desktop.receiverUrl
    shown = await desktop.app.evaluateHandle(({ shell }) => (shell as unknown as { shown: Shown }).shown)
    for (let n = 0; n < 3; n++) await post(url, CREATED)
    await post(url, '{')
  })
  test.afterAll(() => desktop.close())
  const tray = () => shown.evaluate(({ tray }) => tray && { icon: tray.icon, tip: tray.tip })
  const clickInTray = (id: string) =>
    shown.evaluate(({ tray }, item) => tray?.menu.getMenuItemById(item)?.click(), id)
  const windows = () => desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)
  const opened = async (open: () => Promise<unknown>): Promise<Page> => {
    const [page] = await Promise.all([desktop.app.waitForEvent('window'), open()])
    await page.waitForFunction(() => 'acuse' in window)
    return page
  }

  test('the tray tells state, address and what came, and acts', async () => {
    await expect.poll(async () => (await tray())?.tip).toContain(`${url} · 4 today`)
    await expect.poll(async () => (await tray())?.tip, { timeout: 15_000 }).toContain('1 invalid')
    expect((await tray())?.icon).toBe('listening.png')
    await clickInTray('stopReceiver')
    await expect.poll(tray).toMatchObject({ icon: 'off.png', tip: expect.stringContaining('Receiver off') })
    await clickInTray('startReceiver')
    await expect.poll(async () => (await tray())?.icon).toBe('listening.png')
    url = /http:\S+/.exec((await tray())?.tip ?? '')?.[0] ?? ''
    await clickInTray('invalid')
    await expect(desktop.page.getByRole('row', { name: /unreadable/ })).toBeVisible()
    await expect(desktop.page.locator('[data-filter]')).toHaveValue('verdict:>=invalid received:today')
  })

  test('a delivery alone and a second list stand beside the first, each at its own place', async () => {
    await desktop.page.locator('[data-grid]').focus()
    await desktop.page.keyboard.press('ArrowDown')
    const alone = await opened(() => desktop.page.keyboard.press('Control+Enter'))
    await expect(alone.getByText('#4', { exact: true })).toBeVisible()
    await expect(alone.getByRole('navigation')).toHaveCount(0)
    await expect(alone).toHaveTitle(/^#4 · /)

    const second = await opened(() =>
      desktop.app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('new-window')?.click()),
    )
    await second.locator('[data-filter]').fill('kind:factura.created')
    await expect.poll(() => second.evaluate(() => location.hash)).toContain('kind')
    await expect(desktop.page.locator('[data-filter]')).toHaveValue('verdict:>=invalid received:today')
    for (const page of [desktop.page, second, alone])
      expect(await callInPage(page, 'status.get', {})).toMatchObject({ ok: true })
    const count = () => second.getByRole('row').count()
    const before = await count()
    await post(url, CREATED)
    await expect.poll(count).toBe(before + 1)
    await second.reload()
    await expect(second.locator('[data-filter]')).toHaveValue('kind:factura.created')
    await alone.close()
    await second.close()
    await expect.poll(windows).toBe(1)
  })

  test('a filter that tells shows a notification without personal data, and a click on it opens the delivery', async () => {
    const customers = { name: 'Customers', filter: 'kind:customer.created', notify: true }
    await callInPage(desktop.page, 'filters.save', customers)
    await post(url, JSON.stringify(anEvent('customer.created')))
    const told = () =>
      shown.evaluate(({ notifications }) => notifications.map(({ title, body }) => [title, body]))
    const words = expect.stringMatching(/^customer\.created · (valid|noted|warning|invalid)$/)
    await expect.poll(told).toEqual([['Customers', words]])
    await shown.evaluate(({ notifications }) => notifications[0]?.click())
    await expect(desktop.page.locator('[data-detail]').getByText('customer.created').first()).toBeVisible()
  })

  test('with its last window closed it goes on receiving where that was chosen, says so once, and comes back', async () => {
    await callInPage(desktop.page, 'settings.update', { desktop: { keepReceiving: true } })
    await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close())
    await expect.poll(windows).toBe(0)
    expect((await post(url, CREATED)).status).toBe(200)
    const said = () =>
      shown.evaluate(
        ({ notifications }) => notifications.filter(({ title }) => title.includes('goes on')).length,
      )
    await expect.poll(said).toBe(1)
    const back = await opened(() => clickInTray('open'))
    await expect(back.getByText('factura.created').first()).toBeVisible()
    await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close())
    await expect.poll(windows).toBe(0)
    await opened(() => clickInTray('open'))
    expect(await said()).toBe(1)
  })
})

test('a desktop without a tray loses nothing but the tray', async () => {
  process.env.STAND_IN_TRAY = 'none'
  await using desktop = await openDesktop().finally(() => {
    delete process.env.STAND_IN_TRAY
  })
  expect((await post(desktop.receiverUrl, CREATED)).status).toBe(200)
  await expect(desktop.page.getByText('factura.created').first()).toBeVisible()
  expect(desktop.said()).toContain('no icon in its tray')
})

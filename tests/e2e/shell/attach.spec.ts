import { expect, test } from '@playwright/test'
import { callInPage, openDesktop } from '../../support/desktop.ts'
import { anEvent } from '../../support/events.ts'
import { startHost } from '../../support/host.ts'

test('the desktop app shows another host in a window of its own, from the link in the clipboard', async () => {
  const host = await startHost()
  await using desktop = await openDesktop()
  const { app, page } = desktop
  const attach = () =>
    app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('attach')?.click())
  const asked = () =>
    app.evaluate(({ dialog }) =>
      (dialog as unknown as { asked: { message: string }[] }).asked.map(({ message }) => message),
    )
  const infoOf = async (of: typeof page) =>
    ((await callInPage(of, 'app.info', {})) as { result: { dataDir: string; attachedTo?: string } }).result
  // The menu follows the page a moment later.
  await expect(async () => {
    await attach()
    expect(await asked()).toEqual(['Copy a link first'])
  }).toPass()

  const { origin } = new URL(host.uiUrl)
  await app.evaluate(({ clipboard }, link) => clipboard.writeText(link), host.uiUrl)
  const [attached] = await Promise.all([app.waitForEvent('window'), attach()])
  expect((await asked()).at(-1)).toBe(`Attach to ${origin}?`)
  expect(await app.evaluate(({ clipboard }) => clipboard.readText())).toBe('')
  await expect(attached.getByText(`Attached to ${origin}.`)).toBeVisible()
  const titles = () =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((window) => window.getTitle()))
  expect(await titles()).toContain(`Acuse · ${origin}`)

  // Each window has its own host: data, commands and pushes.
  const send = (to: string, kind: 'factura.created' | 'gasto.created') =>
    fetch(to, { method: 'POST', body: JSON.stringify(anEvent(kind)) })
  await send(host.receiverUrl, 'factura.created')
  await send(desktop.receiverUrl, 'gasto.created')
  await expect(attached.getByText('factura.created').first()).toBeVisible()
  await expect(page.getByText('gasto.created').first()).toBeVisible()
  await expect(attached.getByText('gasto.created')).toHaveCount(0)
  await expect(page.getByText('factura.created')).toHaveCount(0)
  expect(await infoOf(attached)).toMatchObject({ dataDir: host.dataDir, attachedTo: origin })
  expect(await infoOf(page)).toMatchObject({ dataDir: desktop.dataDir })
  expect(await infoOf(page)).not.toHaveProperty('attachedTo')

  // A second window of an attached one shows the same host; the receiver in the menu is the one in front.
  const click = (id: string) =>
    app.evaluate(({ Menu }, item) => Menu.getApplicationMenu()?.getMenuItemById(item)?.click(), id)
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().at(-1)?.focus())
  await click('stop-receiver')
  await expect.poll(() => send(host.receiverUrl, 'factura.created').catch(() => 'refused')).toBe('refused')
  expect((await send(desktop.receiverUrl, 'gasto.created')).status).toBe(200)

  await host.kill()
  await expect(attached.getByText(`No connection to ${origin}.`)).toBeVisible()
  await expect(page.getByText('No connection')).toHaveCount(0)
})

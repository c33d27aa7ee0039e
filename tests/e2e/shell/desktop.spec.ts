import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { callInPage, type Desktop, desktopArguments, openDesktop } from '../../support/desktop.ts'
import { anEvent } from '../../support/events.ts'
import { runCli } from '../../support/host.ts'

const CREATED = JSON.stringify(anEvent('factura.created'))

test.describe('the desktop app', () => {
  test.describe.configure({ mode: 'serial' })
  let desktop: Desktop
  test.beforeAll(async () => {
    desktop = await openDesktop()
  })
  test.afterAll(() => desktop.close())
  const menuNames = () =>
    desktop.app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.items.map((item) => item.label))
  const click = (id: string) =>
    desktop.app.evaluate(
      ({ Menu }, wanted) => Menu.getApplicationMenu()?.getMenuItemById(wanted)?.click(),
      id,
    )
  const hash = () => desktop.page.evaluate(() => location.hash)

  test('has an application menu whose actions work', async () => {
    await expect.poll(menuNames).toEqual(['&File', '&Edit', '&Delivery', '&View', '&Window', '&Help'])
    for (const screen of ['settings', 'stream'])
      await expect(async () => {
        await click(`go-${screen}`)
        await expect.poll(hash, { timeout: 2_000 }).toContain(screen)
      }).toPass()
    await click('copy-address')
    const copied = () => desktop.app.evaluate(({ clipboard }) => clipboard.readText())
    await expect.poll(copied).toBe(desktop.receiverUrl)
  })

  test('shows a delivery posted to the receiver', async () => {
    const response = await fetch(desktop.receiverUrl, { method: 'POST', body: CREATED })
    expect(response.status).toBe(200)
    await expect(desktop.page.getByText('factura.created').first()).toBeVisible()
  })

  test('does the actions of the page from the menu, from another screen too, and not under a dialog', async () => {
    const { page } = desktop
    const grid = page.locator('[data-grid]')
    // The menu follows the page a moment later.
    await expect(async () => {
      await click('next')
      await expect(grid).toHaveAttribute('aria-activedescendant', /^delivery-/, { timeout: 1_000 })
    }).toPass()
    await click('open')
    await expect(page.locator('[data-detail]')).toBeVisible()
    await click('close')
    await expect(page.locator('[data-detail]')).toHaveCount(0)
    await click('settings-retention')
    await expect.poll(hash).toContain('retention')
    await click('filter')
    await expect(page.locator('[data-filter]')).toBeFocused()
    // In the filter j is a letter; selected by name it is an action.
    await click('close')
    await expect(grid).not.toHaveAttribute('aria-activedescendant', /./)
    await click('next')
    await expect(page.locator('[data-filter]')).toHaveValue('')
    await expect(grid).toHaveAttribute('aria-activedescendant', /^delivery-/)

    await click('help')
    await expect(page.getByRole('dialog')).toBeVisible()
    await click('go-sandbox')
    await click('close')
    // Takes the same way as the actions, so that they have arrived before Escape.
    await desktop.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript('0'),
    )
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(grid).toHaveAttribute('aria-activedescendant', /^delivery-/)
  })

  test('follows the language of Settings in its menu', async () => {
    await callInPage(desktop.page, 'settings.update', { appearance: { language: 'es' } })
    await expect.poll(menuNames).toContain('&Archivo')
    await callInPage(desktop.page, 'settings.update', { appearance: { language: 'en' } })
    await expect.poll(menuNames).toContain('&File')
  })

  test('keeps its files to this user (reliability, row 23)', () => {
    for (const name of ['', 'desktop', 'settings.json', 'captured.db'])
      expect(statSync(join(desktop.dataDir, name)).mode & 0o077, name).toBe(0)
  })

  test('saves what its page made where the person says, and nothing else', async () => {
    const downloads = mkdtempSync(join(desktop.dataDir, 'downloads-'))
    await desktop.app.evaluate(({ app }, folder) => app.setPath('downloads', folder), downloads)
    await desktop.page.evaluate(() => {
      const save = (href: string, name: string) =>
        Object.assign(document.createElement('a'), { href, download: name }).click()
      save('data:text/plain,foreign', 'foreign.txt')
      save(URL.createObjectURL(new Blob(['<h1>Señal</h1>'], { type: 'text/html' })), 'report.html')
    })
    await expect.poll(() => readdirSync(downloads)).toEqual(['report.html'])
    expect(readFileSync(join(downloads, 'report.html'), 'utf8')).toBe('<h1>Señal</h1>')
    expect(desktop.app.windows()).toHaveLength(1)
  })

  test('exports where the system’s dialog says, from the menu', async () => {
    const { page, app } = desktop
    const downloads = mkdtempSync(join(desktop.dataDir, 'downloads-'))
    await app.evaluate((electron, folder) => electron.app.setPath('downloads', folder), downloads)
    await click('export')
    await page.getByRole('dialog').getByText('HAR', { exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Export', exact: true }).click()
    await expect(page.getByRole('dialog')).toContainText(`1 delivery written to ${downloads}`)
    const [name = '', ...others] = readdirSync(downloads)
    expect([name, others]).toEqual([expect.stringMatching(/\.har$/), []])
    expect(JSON.parse(readFileSync(join(downloads, name), 'utf8')).log.entries).toHaveLength(1)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  test('backs up into a new folder where the system’s dialog says, or where the user types when cancelled', async () => {
    const { page, app } = desktop
    const parent = mkdtempSync(join(desktop.dataDir, '../acuse-backups-'))
    const pick = async (...picked: string[]) => {
      await app.evaluate(({ dialog }, paths) => Object.assign(dialog, { picked: paths }), picked)
      await page.getByRole('button', { name: 'Choose folder…' }).press('Enter')
    }
    try {
      await click('settings-backup')
      const field = page.getByLabel('New or empty folder')
      await pick()
      await expect(field).toHaveValue(/-backup-\d{4}-\d\d-\d\d$/)
      await pick(parent)
      await expect(field).toHaveValue(new RegExp(`^${parent}/[\\w.-]+-backup-\\d{4}-\\d\\d-\\d\\d$`))
      const folder = await field.inputValue()
      await page.getByRole('button', { name: 'Back up' }).press('Enter')
      await expect(page.getByText('1 delivery, ')).toContainText('copied and checked.')
      expect(existsSync(join(folder, 'captured.db'))).toBe(true)
    } finally {
      rmSync(parent, { recursive: true })
    }
    await click('go-stream')
  })

  test('serves the command line while it is open', async () => {
    const { code, stdout } = await runCli(['events', '--json', '--data', desktop.dataDir])
    expect([code, stdout]).toEqual([0, expect.stringContaining('factura.created')])
    // The check has a process of its own, which the installed app cannot start as Node.
    const proved = await runCli(['verify', '--json', '--data', desktop.dataDir])
    expect([proved.code, JSON.parse(proved.stdout)]).toEqual([0, expect.objectContaining({ altered: [] })])
  })

  test('a second start on the same data brings the first window forward, opens the delivery of its link, and ends', async () => {
    await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.minimize())
    const words = ['--no-sandbox', ...desktopArguments(desktop.dataDir), 'acuse:delivery/1']
    const second = spawn(desktop.app.process().spawnfile, words, { stdio: 'ignore' })
    expect((await once(second, 'exit'))[0]).toBe(0)
    const minimised = () =>
      desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((w) => w.isMinimized()))
    await expect.poll(minimised).toEqual([false])
    const detail = desktop.page.locator('[data-detail]')
    await expect(detail.getByText('factura.created').first()).toBeVisible()
    await desktop.page.keyboard.press('Escape')
    // macOS gives a link to the running app as an event.
    await desktop.app.evaluate(({ app }) => {
      app.emit('open-url', { preventDefault: () => undefined }, 'acuse://delivery/1')
    })
    await expect(detail.getByText('factura.created').first()).toBeVisible()
  })
})

test('the window comes back where it was, and quitting closes cleanly (reliability, row 10)', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'acuse-desktop-'))
  try {
    const first = await openDesktop(dataDir)
    await first.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.setBounds({ x: 40, y: 50, width: 1000, height: 700 }),
    )
    expect((await fetch(first.receiverUrl, { method: 'POST', body: CREATED })).status).toBe(200)
    const ended = once(first.app.process(), 'exit')
    await first.close()
    expect((await ended)[0]).toBe(0)
    expect(first.said()).not.toContain('could not')
    expect(JSON.parse(readFileSync(join(dataDir, 'window.json'), 'utf8')).list[0].bounds.width).toBe(1000)

    const again = await openDesktop(dataDir)
    const bounds = await again.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.getBounds(),
    )
    expect(bounds).toEqual({ x: 40, y: 50, width: 1000, height: 700 })
    await expect(again.page.getByText('factura.created').first()).toBeVisible()
    await again.close()
  } finally {
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 })
  }
})

test('SIGTERM ends it orderly', async () => {
  const desktop = await openDesktop()
  const ended = once(desktop.app.process(), 'exit')
  desktop.app.process().kill('SIGTERM')
  expect((await ended)[0]).toBe(0)
  expect(existsSync(join(desktop.dataDir, 'local.sock'))).toBe(false)
  rmSync(desktop.dataDir, { recursive: true, force: true, maxRetries: 3 })
})

test('opens a session file given as an argument, read-only, beside the app', async () => {
  await using desktop = await openDesktop()
  await fetch(desktop.receiverUrl, { method: 'POST', body: CREATED })
  const file = join(mkdtempSync(join(tmpdir(), 'acuse-shared-')), 'monday.acuse')
  await runCli(['export', '--out', file, '--data', desktop.dataDir])
  await using shown = await openDesktop(desktop.dataDir, {}, undefined, [file])
  await expect(shown.page.getByText('Session file, read-only.')).toBeVisible()
  await expect(shown.page.getByText('factura.created').first()).toBeVisible()
  expect(shown.receiverUrl).toBe('')
  expect(await callInPage(shown.page, 'receiver.start', {})).toMatchObject({ refusal: { code: 'read-only' } })
})

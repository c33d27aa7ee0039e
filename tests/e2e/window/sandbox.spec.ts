import { broken } from '../../support/axe.ts'
import { log, openPart, option } from './sandbox.ts'
import { expect, test } from './test.ts'
import { click, copied, enter, fill, goTo, press, shows, take, tells } from './window.ts'

/** Parts in the order of the navigation. */
const PARTS = ['emit', 'scenarios', 'operations', 'traffic', 'log', 'subscriptions', 'laboratory', 'keys']

test('an operation is a form of its parameters; wrong ones are told beside their field', async ({ page }) => {
  await openPart(page, 'operations')
  await option(page, 'edit-amount').click()
  const pane = page.getByRole('region', { name: 'edit-amount' })
  await pane.getByRole('button', { name: 'Run' }).click()
  await expect(pane.getByText('Required.')).toBeVisible()
  await fill(pane, { 'id *': '7', amount: '1.234' })
  await shows(pane, 'Enter a UUID', 'at most two decimals')
  await fill(pane, { amount: '12.50', 'id *': '00000000-0000-4000-8000-000000000000' })
  await page.keyboard.press('Enter')
  await expect(pane.getByText(/^There is no document/)).toBeVisible()
  await option(page, 'create-invoice').click()
  await page.getByRole('combobox', { name: 'type' }).selectOption('E32')
  await page.getByRole('button', { name: 'Run' }).click()
  await expect(page.getByRole('status').filter({ hasText: '1 event' })).toContainText('answered 200')
  await option(page, 'edit-amount').click()
  await pane.getByRole('button', { name: 'Use the last id' }).click()
  await expect(pane.getByLabel('id *')).toHaveValue(/^[0-9a-f-]{36}$/)
})

test('a subscription is added with headers and kinds, tested, switched off and removed', async ({ page }) => {
  await openPart(page, 'subscriptions')
  await page.getByRole('button', { name: 'Add subscription' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Required.')).toBeVisible()
  await dialog.getByLabel('URL').fill('http://erp.example.com/hook')
  await expect(dialog.getByText('Use HTTPS.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Add header' }).click()
  await dialog.getByLabel('Name of header 1').fill('Host')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('belongs to the connection')).toBeVisible()
  expect(await broken(page, '[role="dialog"]')).toEqual([])
  await fill(dialog, { 'Name of header 1': 'X-Hook-Secret', 'Value of header 1': 's3cret' })
  await dialog.getByRole('button', { name: 'None' }).click()
  await dialog.getByRole('checkbox', { name: 'Tax authority status' }).click()
  await expect(dialog.getByText('4 of 28 kinds')).toBeVisible()
  await dialog.getByRole('button', { name: 'Save' }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'erp.example.com' })
  await expect(row.getByText('4 kinds')).toBeVisible()
  await row.getByRole('button', { name: /^Test/ }).click()
  await expect(row.getByRole('status')).toContainText('failed')
  await row.getByRole('switch').click()
  await expect(row.getByText('inactive')).toBeVisible()
  // The window does not show a saved credential, and keeps it when the field stays empty.
  await row.getByRole('button', { name: /^Edit/ }).click()
  await expect(dialog.getByLabel('Value of header 1')).toHaveAttribute('placeholder', /^kept:/)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await row.getByRole('button', { name: /^Remove/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(row).toHaveCount(0)
})

test('the laboratory takes effect at once, and a badge says so wherever one is', async ({ page, host }) => {
  await openPart(page, 'laboratory')
  await expect(page.getByText('beyond the real service', { exact: true })).toBeVisible()
  await page.getByRole('textbox', { name: 'Share of Lose' }).fill('12.5')
  const laboratory = () => host.call('sandbox.laboratory', {})
  await expect.poll(async () => (await laboratory()).lose.share).toBe(0.125)
  await click(page, 'Kinds affected by “Lose”', 'None')
  await page.getByRole('checkbox', { name: 'dgii.aprobado' }).click()
  await page.keyboard.press('Escape')
  await expect.poll(async () => (await laboratory()).lose.kinds).toEqual(['dgii.aprobado'])
  await page.getByRole('combobox', { name: 'Fault' }).selectOption('error-429')
  await page.getByLabel('Retry-After').fill('9')
  await expect.poll(async () => (await laboratory()).sync.retryAfterSeconds).toBe(9)
  await page.getByRole('button', { name: 'Emit' }).click()
  const badge = page.getByTitle('Some behaviour differs from the real service. Open the laboratory')
  await badge.click()
  await page.getByRole('button', { name: 'Turn all off' }).click()
  await expect(badge).toBeHidden()
  expect((await laboratory()).lose.share).toBe(0)
})

test('the log is walked by keys, and new entries come in above', async ({ page, host }) => {
  await openPart(page, 'log', { events: 900 })
  await expect(log(page)).toHaveAttribute('aria-rowcount', '901')
  await log(page).press('End')
  // Scrolling loads older pages.
  const reached = async () => {
    await page.keyboard.press('End')
    return log(page).getByRole('row').last().getAttribute('aria-rowindex')
  }
  await expect.poll(reached).toBe('901')
  await press(page, 'Home', 'j', 'Enter')
  const entry = page.getByRole('complementary', { name: 'Entry of the log' })
  await tells(entry, 'POST / HTTP/1.1', '"Timestamp"')
  const open = await log(page).getByRole('row', { selected: true }).getAttribute('id')
  await host.call('sandbox.emit', { kind: 'factura.created' })
  await expect(log(page)).toHaveAttribute('aria-rowcount', '902')
  expect(await log(page).getByRole('row', { selected: true }).getAttribute('id')).toBe(open)
  await page.keyboard.press('Escape')
  await expect(entry).toBeHidden()
  await expect(log(page)).toBeFocused()
})

test('the log names document and status; what failed says why, in Spanish too', async ({ page, host }) => {
  await openPart(page, 'log', { language: 'es' })
  const state = await host.call('sandbox.state', {})
  await host.call('sandbox.emit', { kind: 'dgii.rechazado' })
  const row = log(page).getByRole('row').filter({ hasText: 'dgii.rechazado' })
  await tells(row, '6 · rechazado', /E\d{12}/)
  await row.click()
  const entry = page.getByRole('complementary', { name: 'Entrada del registro' })
  await expect(entry).toContainText(/Cliente\/Suplidor.+Total(?:RD|US)\$ [\d,]+\.\d\d/)
  const traffic = { running: false, settings: null, made: 0, ended: 'There is no active product.' }
  host.api.answer('sandbox.state', () => ({
    ...{ ...state, traffic: { ...traffic, reason: 'failed', failure: 'no-product' } },
  }))
  await goTo(page, 'sandbox/traffic')
  await expect(page.getByText('No hay ningún producto activo: cree uno primero.')).toBeVisible()
  await expect(page.getByText('There is no active product.')).toHaveCount(0)
})

test('the log is filtered by outcome and text, and exported whole as NDJSON', async ({ page, host }) => {
  await openPart(page, 'log', { events: 250 })
  await page.getByRole('combobox', { name: 'Outcome' }).selectOption('lost')
  const { total } = await host.call('sandbox.log', { outcome: 'lost' })
  expect(total).toBeGreaterThan(0)
  await expect(log(page)).toHaveAttribute('aria-rowcount', String(total + 1))
  await page.getByRole('textbox', { name: /^Search / }).fill('no such text')
  await expect(page.getByText('No matching entries')).toBeVisible()
  await page.getByRole('button', { name: 'Clear the filters' }).click()
  await take(page, 'Export', 'Copy as NDJSON')
  await expect(page.getByText('250 entries copied')).toBeVisible()
  const lines = (await copied(page)).trimEnd().split('\n')
  expect(lines).toHaveLength(250)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ id: 1, request: { body: expect.any(String) } })
  const saved = page.waitForEvent('download')
  await take(page, 'Export', 'Save as NDJSON…')
  expect((await saved).suggestedFilename()).toBe('acuse-sandbox-log.ndjson')
})

test('a key and a plugin token are shown once', async ({ page, host }) => {
  await openPart(page, 'keys')
  await enter(page.getByLabel('Name of the key'), 'sweeps')
  await expect(page.getByText(/^key_/)).toBeVisible()
  await page.getByRole('button', { name: 'Hide' }).click()
  await expect(page.getByText(/^key_/)).toBeHidden()
  await page.getByRole('button', { name: 'Remove sweeps' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByText('sweeps', { exact: true })).toBeHidden()
  await page.getByRole('button', { name: 'Install a plugin' }).click()
  const dialog = page.getByRole('dialog')
  await fill(dialog, { Name: 'Cobros', 'URL for other plugins’ events': 'localhost:3000/hook' })
  await dialog.getByRole('checkbox', { name: 'inventario.movimiento' }).click()
  await dialog.getByRole('button', { name: 'Install' }).click()
  await expect(page.getByText(/^plugin_/)).toBeVisible()
  await page.getByRole('switch', { name: 'Cobros enabled' }).click()
  const last = async () => (await host.call('sandbox.plugins', {})).plugins.at(-1)
  const eventTypes = ['cobro.registrado', 'pago_proveedor.registrado']
  await expect.poll(last).toMatchObject({
    ...{ name: 'Cobros', active: false, eventTypes, url: 'http://localhost:3000/hook' },
  })
})

test('axe finds nothing in the parts of the sandbox, in Spanish', async ({ page }) => {
  // A low window: axe takes seconds per state on a busy machine, and fewer rows still show all types.
  await page.setViewportSize({ width: 1180, height: 620 })
  await openPart(page, 'emit', { language: 'es', events: 40 })
  const buttons = page.getByRole('navigation', { name: /^Part/ }).getByRole('button')
  for (const [at, part] of PARTS.entries()) {
    await buttons.nth(at).click()
    await expect(page).toHaveURL(new RegExp(`/${part}$`))
    if (part === 'log') {
      await log(page).focus()
      await press(page, 'Home', 'Enter')
    }
    expect([part, await broken(page)]).toEqual([part, []])
  }
})

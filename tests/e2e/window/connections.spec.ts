import { broken } from '../../support/axe.ts'
import { openWorld } from './reconcile.ts'
import { expect, test } from './test.ts'
import { dialog, fill, goTo, openWindow, shows } from './window.ts'

test('a connection is added; its secrets go out once and never come back', async ({ page, host }) => {
  await openWindow(page, { count: 3 })
  await goTo(page, 'settings/connections')
  await expect(page.getByText('No connections yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Add connection' }).click()
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(dialog(page).getByText('Enter the address.')).toBeVisible()
  await dialog(page).getByLabel('Name', { exact: true }).fill('produccion')
  await fill(dialog(page), { 'Address of the service': 'https://api.example.com/', 'API key': 'key-1' })
  await expect(dialog(page).getByText(/never shown again/)).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(dialog(page)).toHaveCount(0)
  expect(host.api.sent('connections.save')).toMatchObject([
    { name: 'produccion', baseUrl: 'https://api.example.com', apiKey: 'key-1' },
  ])
  await expect(page.getByText('API key stored')).toBeVisible()
  await page.getByRole('button', { name: 'Edit produccion' }).click()
  await expect(dialog(page).getByLabel('API key', { exact: true })).toHaveValue('')
  await dialog(page).getByRole('checkbox', { name: 'Forget the API key' }).click()
  const types = dialog(page).getByLabel('Document types and their events')
  await types.fill('77=invoice')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(dialog(page).getByText('The groups are factura,')).toBeVisible()
  expect(await broken(page, '[role="dialog"]')).toEqual([])
  await types.fill('77=factura')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await shows(page, 'no API key', '1 document type mapped')
  const [, changed] = host.api.sent('connections.save')
  expect(changed).toMatchObject({ apiKey: null, documentTypes: [{ id: 77, group: 'factura' }] })
})

test('a test says what the service answered, and why it refused', async ({ page }) => {
  await openWorld(page, { count: 60, swept: false })
  await goTo(page, 'settings/connections')
  await page.getByRole('button', { name: 'Test produccion' }).click()
  await dialog(page).getByRole('button', { name: 'Test', exact: true }).click()
  await shows(dialog(page), 'It works.', '1 item received.')
  await expect(dialog(page).getByText('/IsAnulated', { exact: true })).toHaveCount(1)
  await expect(dialog(page).getByText(/"DocumentId"/)).toBeVisible()
  expect(await broken(page, '[role="dialog"]')).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Test sandbox' }).click()
  await dialog(page).getByRole('button', { name: 'Test', exact: true }).click()
  await expect(dialog(page).getByRole('alert')).toContainText('has no API key')
})

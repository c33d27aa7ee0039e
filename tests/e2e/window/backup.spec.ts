import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { broken } from '../../support/axe.ts'
import { expect, test } from './test.ts'
import { openWindow, press, shows } from './window.ts'

test('a backup by keyboard copies what is stored and says how to open it; a used folder is refused', async ({
  page,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'acuse-backup-'))
  try {
    await openWindow(page, { count: 12, at: 'settings/backup' })
    const field = page.getByLabel('New or empty folder')
    await expect(field).toHaveValue(/-backup-\d{4}-\d\d-\d\d$/)
    await field.fill('backup')
    await field.press('Enter')
    await shows(page, /Enter the absolute path of a folder/)
    writeFileSync(join(folder, 'mine.txt'), '')
    await field.fill(folder)
    await field.press('Enter')
    await shows(page, /is not empty; give a new one/)
    const copy = join(folder, 'copy')
    await field.fill(copy)
    await press(page, 'Tab', 'Enter')
    await shows(page, /12 deliveries, .*, copied and checked\./, `acuse serve --data "${copy}"`)
    expect(existsSync(join(copy, 'captured.db'))).toBe(true)
    expect(await broken(page)).toEqual([])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('traces are turned on and off by their form, and a wrong address is refused', async ({ page, host }) => {
  await openWindow(page, { count: 3, at: 'settings/traces' })
  const address = page.getByLabel('Address of the collector')
  await address.fill('collector')
  await shows(page, /begins with http/)
  expect(await broken(page)).toEqual([])
  await address.fill('http://127.0.0.1:4318/v1/traces')
  await page.getByLabel('Name of this service').fill('erp-hooks')
  await page.keyboard.press('Enter')
  const telemetry = async () => (await host.call('settings.get', {})).telemetry
  await expect
    .poll(telemetry)
    .toEqual({ endpoint: 'http://127.0.0.1:4318/v1/traces', serviceName: 'erp-hooks' })
  // The form has taken what the host saved.
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toHaveCount(0)
  await address.fill('')
  await address.press('Enter')
  await expect.poll(async () => (await telemetry()).endpoint).toBe(null)
})

import { createServer } from 'node:http'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { chromium, type Page } from '@playwright/test'
import { settled } from '../support/axe.ts'
import { installedChromium } from '../support/find-chromium.mjs'
import { type RunningHost, runCli, startHost } from '../support/host.ts'
import { opened } from '../support/listening-port.ts'
import { clientOf } from '../support/sandbox-client.ts'

/** Takes the pictures of README and guide: the built product, on a month of the sandbox with a tenth of the deliveries lost. */
const INTO = resolve(import.meta.dirname, '../../resources/pictures')
const SEED = 11

const host = await startHost({ args: ['--sandbox', '--sandbox-port', '0'] })
const executablePath = installedChromium()
const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ['--disable-gpu'] })
try {
  await liveThrough(host)
  const page = await browser.newPage({
    viewport: { width: 1280, height: 800 },
    deviceScaleFactor: 1.5,
    locale: 'en-US',
    timezoneId: 'America/Santo_Domingo',
  })
  await page.goto(host.uiUrl)
  await page.getByRole('grid').waitFor()
  await tour(page)
} finally {
  await browser.close()
  await host.stop()
}

async function liveThrough({ sandbox, dataDir, receiverUrl }: RunningHost): Promise<void> {
  if (!sandbox) throw new Error('the sandbox did not start')
  const laboratory = (change: object) => clientOf(sandbox).admin('PUT', '/laboratory', change)
  await laboratory({ seed: SEED, lose: { share: 0.1 }, duplicate: { share: 0.02 } })
  await runCli(['trigger', '--scenario', 'month', '--count', '150', '--data', dataDir])
  await laboratory({ lose: { share: 0 }, duplicate: { share: 0 } })
  // A handler that fails for updates of expenses.
  const handler = createServer(async (request, response) => {
    response.statusCode = (await text(request)).includes('gasto.updated') ? 500 : 200
    response.end()
  })
  const to = `http://127.0.0.1:${await opened(handler)}/hook`
  await runCli(['replay', '--filter', 'kind:factura.*,gasto.*', '--to', to, '--data', dataDir])
  handler.close()
  const odd = [
    '{"Event":"factura.created","Timestamp":"2026-11-21T10:42:17","data":{"DocumentId":"7","Lines":{}}}',
    '{"Event":"gasto.updated","Timestamp":',
  ]
  for (const body of odd) await fetch(receiverUrl, { method: 'POST', body })
}

async function tour(page: Page): Promise<void> {
  /** Time for late parts: timelines, details, the answer to a filter. */
  const rest = () => page.waitForTimeout(1_500)
  const picture = async (name: string) => {
    await rest()
    await page.mouse.move(-1, -1)
    await settled(page)
    await page.screenshot({ path: join(INTO, `${name}.png`) })
  }
  const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click()
  const row = (index: number) => page.getByRole('grid').locator(`[data-index="${index}"]`)
  const theme = (colorScheme: 'light' | 'dark') => page.emulateMedia({ colorScheme })

  await row(6).click()
  await picture('stream-light')
  await theme('dark')
  await picture('stream-dark')
  await theme('light')

  await page.keyboard.press('2')
  await page.getByRole('grid').getByRole('row').nth(3).click()
  await page.getByRole('region', { name: /^Life of/ }).waitFor()
  await picture('documents-light')

  await page.keyboard.press('3')
  await press('Use the sandbox')
  await page.getByLabel('From', { exact: true }).fill('2020-01-01')
  await page.getByRole('button', { name: 'Run sweep', exact: true }).click()
  await page.getByRole('button', { name: /^Rebuild and replay/ }).waitFor()
  await page.getByRole('button', { name: /missing/ }).click()
  const streams = page.getByRole('grid', { name: /both streams/ })
  await streams.getByRole('row').nth(2).click()
  await picture('reconcile-light')

  await page.keyboard.press('5')
  const parts = page.getByRole('navigation', { name: 'Parts of the sandbox' })
  await parts.getByRole('button', { name: /Log/ }).click()
  await page.getByRole('grid').waitFor()
  await picture('sandbox-light')
  await page.keyboard.press('7')
  const kind = page.getByRole('row', { name: /factura.created/ })
  await kind.first().click()
  await page.getByRole('table').waitFor()
  await picture('drift-light')
  await page.keyboard.press('4')
  await page.getByRole('region', { name: 'Job 1' }).waitFor()
  await picture('replays-light')
  await page.keyboard.press('8')
  await page.getByRole('button', { name: 'Endpoints' }).click()
  await page.getByRole('heading', { name: 'Endpoints' }).waitFor()
  await picture('settings-light')

  await page.keyboard.press('1')
  const filter = `kind:factura.created,factura.updated doc:${await changed()}`
  await page.getByRole('combobox').first().fill(filter)
  await rest()
  await row(0).click()
  await row(1).click({ modifiers: ['ControlOrMeta'] })
  await page.keyboard.press('c')
  await page.getByRole('dialog').waitFor()
  await picture('compare-light')
  await page.keyboard.press('Escape')
  await page.keyboard.press('e')
  await page.getByRole('dialog', { name: 'Export deliveries' }).getByRole('table').waitFor()
  await picture('export-light')
}

/** A document whose creation and change were both captured. */
async function changed(): Promise<string> {
  const filter = 'kind:factura.created,factura.updated'
  const { stdout } = await runCli(['events', '--filter', filter, '--json', '--data', host.dataDir])
  const events = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly kind: string; readonly documentId: string })
  const created = new Set(
    events.filter(({ kind }) => kind === 'factura.created').map(({ documentId }) => documentId),
  )
  const found = events.find(({ kind, documentId }) => kind === 'factura.updated' && created.has(documentId))
  if (!found) throw new Error('no document was changed in this month')
  return found.documentId
}

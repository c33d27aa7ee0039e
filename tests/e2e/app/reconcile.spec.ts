import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from './app.ts'

/** The code that missed the events. */
async function startHandler() {
  const got: { readonly documentId: string; readonly event: string; readonly synthetic: string }[] = []
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const { Event: event, data } = JSON.parse(Buffer.concat(pieces).toString())
      const synthetic = String(request.headers['x-acuse-synthetic'])
      got.push({ documentId: String(data.DocumentId).toLowerCase(), event, synthetic })
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/hook`, got, [Symbol.dispose]: () => void server.close() }
}

test('an outage day: by screen, a sweep finds what was lost, the handler gets it, and the next sweep has nothing left (D, Proof)', async ({
  app,
  window,
}) => {
  test.slow()
  await window.getByRole('link', { name: 'Sandbox' }).click()
  await window.getByRole('button', { name: 'Start the sandbox' }).click()
  await expect(window.getByText('Running', { exact: true })).toBeVisible()
  await window
    .getByRole('navigation', { name: 'Parts of the sandbox' })
    .getByRole('button', { name: 'Scenarios' })
    .click()
  await window.getByRole('textbox', { name: 'Documents of Day with an outage' }).fill('40')
  await window.getByRole('button', { name: 'Run Day with an outage' }).click()
  const outage = window.getByRole('listitem').filter({ hasText: 'outage-day' })
  await expect(outage.getByRole('button', { name: 'Show in the log' })).toBeVisible()
  await expect(outage.getByRole('progressbar')).toHaveCount(0)
  const status = await app.client.call('sandbox.status', {})
  const { key } = await app.client.call('sandbox.issue-key', {})
  const baseUrl = status.running ? status.url : ''

  await window.getByRole('link', { name: 'Reconcile' }).click()
  await window.getByRole('button', { name: 'Add a connection' }).click()
  await window.getByRole('button', { name: 'Add connection' }).click()
  const dialog = window.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('sandbox')
  await dialog.getByLabel('Address of the service').fill(baseUrl)
  await dialog.getByLabel('API key').fill(key)
  await dialog.getByLabel('first returned less than').fill('0')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(window.getByText('API key stored')).toBeVisible()
  await window.getByRole('button', { name: 'Test sandbox' }).click()
  await dialog.getByRole('button', { name: 'Test', exact: true }).click()
  await expect(dialog.getByText('It works.')).toBeVisible()
  await window.keyboard.press('Escape')

  await window.getByRole('link', { name: 'Reconcile' }).click()
  await window.getByLabel('From', { exact: true }).fill('2020-01-01')
  await window.getByLabel('To', { exact: true }).fill('2035-01-01')
  await window.getByRole('button', { name: 'Run sweep', exact: true }).click()
  await expect(window.getByRole('region', { name: 'Sweep 1' }).getByText('complete')).toBeVisible()
  const missing = window.getByRole('button', { name: /missing/ })
  await expect(missing.locator('b')).toHaveText(/^[1-9]/)
  const lost = Number(await missing.locator('b').textContent())
  await missing.click()
  const grid = window.getByRole('grid', { name: /both streams/ })
  await expect(grid).toHaveAttribute('aria-rowcount', String(lost + 1))
  await grid.locator('[data-key]').first().click()
  const pane = window.getByRole('region', { name: /^Document / })
  await expect(pane.getByText(/no created event of it was captured/)).toBeVisible()
  await pane.getByRole('radio', { name: 'Raw' }).click()
  await expect(pane.getByText(/"DocumentId"/).first()).toBeVisible()
  await window.keyboard.press('Escape')
  await window.getByRole('button', { name: 'Show all classes' }).click()

  await window.getByRole('button', { name: 'Report…' }).click()
  await dialog.getByRole('radio', { name: 'Español' }).click()
  const report = async (form: string) => {
    await dialog.getByRole('radio', { name: form }).click()
    const saving = window.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Save report' }).click()
    const file = await saving
    return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') }
  }
  const html = await report('HTML')
  expect(html.name).toBe('acuse-sandbox-barrido-1.html')
  expect(html.text).toContain('<html lang="es">')
  expect(html.text).toContain('están cubiertos')
  expect(html.text.match(/<td>faltante<\/td>/g)).toHaveLength(lost + 1)
  const csv = await report('CSV')
  expect(csv.name).toBe('acuse-sandbox-barrido-1.csv')
  expect(csv.text).toContain(',cliente_o_suplidor,')
  expect(csv.text.split(',faltante,')).toHaveLength(lost + 1)
  await window.keyboard.press('Escape')

  await window.getByRole('button', { name: /^Rebuild and replay/ }).click()
  await dialog.getByRole('button', { name: /^Rebuild \d+ event/ }).click()
  await expect(dialog.getByText(/rebuilt\./).first()).toBeVisible()
  await dialog.getByRole('button', { name: 'Replay…' }).click()
  using handler = await startHandler()
  await expect(window.getByRole('dialog', { name: /Replay/ })).toBeVisible()
  await dialog.getByLabel('URL').fill(handler.url)
  await dialog.getByRole('button', { name: /^Send \d+ deliver/ }).click()
  await window.getByRole('link', { name: 'Reconcile' }).click()
  // It renews itself when the attempts end.
  await expect(window.getByText('Nothing left to recover.')).toBeVisible()
  await expect(missing.locator('b')).toHaveText('0')
  await expect(window.getByRole('button', { name: / recovered/ }).locator('b')).not.toHaveText('0')

  const { rows } = await app.client.call('reconciliation.rows', {
    ...{ sweep: 1, from: 0, limit: 1_000 },
    classes: ['missing', 'differs', 'recovered'],
  })
  const owed = rows.flatMap(({ documentId, missed }) =>
    missed
      .filter(({ certainty }) => certainty === 'missed')
      .map(({ kind }) => `${documentId?.toLowerCase()} ${kind}`),
  )
  expect(handler.got.map(({ documentId, event }) => `${documentId} ${event}`).sort()).toEqual(owed.sort())
  expect(new Set(handler.got.map(({ synthetic }) => synthetic))).toEqual(new Set(['1']))
  expect(
    rows
      .filter(({ rules }) => rules.includes('no-created'))
      .every(({ class: name, recovered }) => name === 'recovered' && recovered?.status === 204),
  ).toBe(true)

  await window.getByLabel('From', { exact: true }).fill('2020-01-01')
  await window.getByLabel('To', { exact: true }).fill('2035-01-01')
  await window.getByRole('button', { name: 'Run sweep', exact: true }).click()
  await expect(window.getByRole('region', { name: 'Sweep 2' }).getByText('complete')).toBeVisible()
  await expect(window.getByText('Nothing left to recover.')).toBeVisible()
  await expect(window.getByRole('button', { name: /^Rebuild and replay/ })).toBeDisabled()
  await window.getByRole('button', { name: 'History' }).click()
  await dialog.getByRole('button', { name: 'Compare sweep 2 with another' }).click()
  await expect(dialog.getByText('No document changed its class.')).toBeVisible()
})

test('one press makes the sandbox an account to compare with: its key and token are issued and kept', async ({
  app,
  window,
}) => {
  await window.getByRole('link', { name: 'Reconcile' }).click()
  await window.getByRole('button', { name: 'Use the sandbox' }).click()
  await window.getByRole('button', { name: 'Run sweep', exact: true }).click()
  await expect(window.getByRole('region', { name: 'Sweep 1' })).toContainText('complete')
  const { connections } = await app.client.call('settings.get', {})
  expect(connections).toMatchObject([{ name: 'sandbox', apiKey: 'stored', pluginToken: 'stored' }])
})

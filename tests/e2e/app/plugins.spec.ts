import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from './app.ts'

test('by screen, the three plugin events reach another plugin with their very data; 401 and 403 are explained (D, 9)', async ({
  app,
  window,
}) => {
  test.slow()
  const bodies: string[] = []
  const other = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (piece: string) => {
      body += piece
    })
    request.on('end', () => {
      bodies.push(body)
      response.end()
    })
  })
  await new Promise<void>((ready) => other.listen(0, '127.0.0.1', ready))
  const { port } = other.address() as AddressInfo
  const started = await app.client.call('sandbox.start', {})
  const baseUrl = started.running ? started.url : ''
  const { token } = await app.client.call('sandbox.install-plugin', { name: 'Cobros' })
  await app.client.call('sandbox.install-plugin', {
    name: 'Contabilidad',
    url: `http://127.0.0.1:${port}/hook`,
  })

  await window.getByRole('link', { name: 'Plugins' }).click()
  await window.getByRole('button', { name: 'Add a connection' }).click()
  const dialog = window.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('sandbox')
  await dialog.getByLabel('Address of the service').fill(baseUrl)
  await dialog.getByLabel('Plugin token', { exact: true }).fill(token)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(window.getByText('plugin token set')).toBeVisible()

  const publish = window.getByRole('button', { name: /^Publish(?! again)/ })
  const answer = window.getByRole('region', { name: 'Answer' })
  const sent = [
    ['cobro.registrado', '{"monto": 1500.00, "n": 12345678901234567890.10}'],
    ['pago_proveedor.registrado', '{\n  "proveedor": "Peña \\u00f1",\n  "monto": 1e2\n}'],
    ['inventario.movimiento', ''],
  ] as const
  for (const [eventType, data] of sent) {
    await window.getByRole('radio', { name: new RegExp(eventType) }).click()
    await window.getByRole('textbox', { name: `Data of ${eventType}` }).fill(data)
    await publish.click()
    await expect(answer).toContainText(`${eventType} to sandbox`)
    await expect(answer.getByRole('status').first()).toContainText(/202 taken after/)
    await expect(answer).toContainText('{"forwardedTo":1}')
  }
  const [cobro, pago] = sent
  await expect
    .poll(() => bodies)
    .toEqual([
      `{"eventType":"cobro.registrado","data":${cobro[1]}}`,
      `{"eventType":"pago_proveedor.registrado","data":${pago[1]}}`,
      '{"eventType":"inventario.movimiento"}',
    ])

  const change = async (part: () => Promise<void>) => {
    await window.getByRole('button', { name: 'Edit the connection' }).click()
    await part()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toHaveCount(0)
  }
  await change(() => dialog.getByLabel('Plugin token', { exact: true }).fill('not-the-token'))
  await publish.click()
  await expect(answer).toContainText('does not know the token (401)')
  const { connections } = await app.client.call('settings.get', {})
  const [present] = connections
  if (!present) throw new Error('the connection is gone')
  const { apiKey: _key, pluginToken: _token, ...connection } = present
  await app.client.call('connections.save', {
    ...{ ...connection, previousName: 'sandbox' },
    pluginHeader: { name: 'X-Api-Key', scheme: '' },
  })
  await publish.click()
  await expect(answer).toContainText("only the plugin's own token is accepted")
  await expect(
    window.getByRole('region', { name: 'Published in this window' }).getByRole('listitem'),
  ).toHaveCount(5)

  // Neither the page nor any file but the secrets' own holds a token.
  await expect(window.locator('body')).not.toContainText(token)
  const files = readdirSync(app.host.dataDir, { recursive: true, withFileTypes: true })
  const holding = files
    .filter(
      (file) => file.isFile() && readFileSync(join(file.parentPath, file.name)).includes('not-the-token'),
    )
    .map(({ name }) => name)
  expect(holding.filter((name) => !name.startsWith('secrets'))).toEqual([])
  other.close()
  other.closeAllConnections()
})

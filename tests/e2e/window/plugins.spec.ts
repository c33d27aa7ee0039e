import type { Page } from '@playwright/test'
import type { Result } from '#contract/commands.ts'
import type { Settings } from '#contract/settings.ts'
import { broken } from '../../support/axe.ts'
import { openWorld } from './reconcile.ts'
import { expect, test } from './test.ts'
import { button, choose, hostOf, press } from './window.ts'

async function openPlugins(page: Page, appearance: Partial<Settings['appearance']> = {}): Promise<void> {
  await openWorld(page, { count: 60, swept: false, ...appearance })
  hostOf(page).api.answer('plugins.publish', () => ANSWER)
  await page.getByRole('link', { name: 'Plugins' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Plugins' })).toBeVisible()
}
const ANSWER: Result<'plugins.publish'> = {
  ...{ ok: true, status: 202, message: '', error: null, tookUs: 18_400 },
  headers: [{ name: 'Content-Type', value: 'application/json; charset=utf-8', masked: false }],
  body: '{"forwardedTo":2}',
}
const editor = (page: Page) => page.getByRole('textbox', { name: /^(Data of|Datos de)/ })
const publishButton = (page: Page) =>
  page.getByRole('button', { name: /^(Publish|Publicar)(?! again| de nuevo)/ })
const answer = (page: Page) => page.getByRole('region', { name: /^(Answer|Respuesta)$/ })
const history = (page: Page) => page.getByRole('region', { name: /^(Published in|Publicado en)/ })

test('by keyboard alone: an event is selected, published, and published again', async ({ page, host }) => {
  await openPlugins(page)
  await press(page, 'Escape', 'g', 'p')
  await expect(page.getByLabel('Connection', { exact: true })).toHaveValue('sandbox')
  await page.getByRole('radio', { name: /cobro\.registrado/ }).focus()
  await choose(page, 'ArrowRight', page.getByRole('radio', { name: /pago_proveedor/ }))
  await choose(page, 'ArrowRight', page.getByRole('radio', { name: /inventario\.movimiento/ }))
  await press(page, 'Tab', 'Tab')
  await expect(editor(page)).toBeFocused()
  await page.keyboard.insertText('{"cantidad": 1.500, "costo": 12345678901234567890.10}')
  await page.keyboard.press('Control+Enter')
  await expect(answer(page).getByRole('status').first()).toContainText('202 accepted after 18 ms')
  await expect(answer(page)).toContainText('forwards its data unchanged')
  await answer(page).getByRole('button', { name: 'Publish again' }).press('Enter')
  await expect(history(page).getByRole('listitem')).toHaveCount(2)
  const data = '{"cantidad": 1.500, "costo": 12345678901234567890.10}'
  const event = { connection: 'sandbox', eventType: 'inventario.movimiento', data }
  expect(host.api.sent('plugins.publish')).toEqual([event, event])
})

test('what is no JSON object is refused at its place; each event keeps its text', async ({ page, host }) => {
  await openPlugins(page)
  await editor(page).fill('{\n  "monto": 01\n}')
  await expect(page.getByRole('alert')).toContainText('Line 2, column 13')
  await expect(publishButton(page)).toBeDisabled()
  await editor(page).press('Control+Enter')
  expect(await editor(page).evaluate((field: HTMLTextAreaElement) => field.selectionStart)).toBe(14)
  await editor(page).fill('[1]')
  await expect(page.getByRole('alert')).toContainText('Data must be an object')
  await page.getByRole('radio', { name: /pago_proveedor/ }).click()
  await expect(page.getByText('Published without data.', { exact: true })).toBeVisible()
  await publishButton(page).click()
  await expect(answer(page)).toContainText('It was published without data.')
  expect(host.api.sent('plugins.publish')).toEqual([
    { connection: 'sandbox', eventType: 'pago_proveedor.registrado' },
  ])
  await page.getByRole('radio', { name: /cobro/ }).click()
  await expect(editor(page)).toHaveValue('[1]')
})

test('a connection without a token leads to its dialog', async ({ page }) => {
  await openPlugins(page)
  await page.getByLabel('Connection', { exact: true }).selectOption('produccion')
  await expect(page.getByText('no plugin token', { exact: true })).toBeVisible()
  await expect(publishButton(page)).toBeDisabled()
  await page.getByRole('button', { name: 'Set the token' }).click()
  await page.getByRole('dialog').getByLabel('Plugin token').fill('t-1')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('plugin token set')).toBeVisible()
  await expect(page.locator('body')).not.toContainText('t-1')
})

test('axe finds nothing in Plugins: none, wrong data, refused, unreachable', async ({ page, host }) => {
  await openPlugins(page, { language: 'es' })
  expect(await broken(page)).toEqual([])
  const publish = publishButton(page)
  await publish.click()
  await expect(answer(page)).toContainText('202')
  const forbidden = { ...ANSWER, ok: false, status: 403, body: '{"error":{"code":"forbidden"}}' }
  host.api.answer('plugins.publish', () => forbidden)
  await publish.click()
  await expect(answer(page)).toContainText('X-Api-Key')
  await editor(page).fill('{"a":')
  await expect(page.getByRole('alert')).toBeVisible()
  expect(await broken(page)).toEqual([])
  host.api.answer('plugins.publish', () => ({
    ...{ ...ANSWER, ok: false, status: null, headers: [], body: '' },
    error: { code: 'connection-refused', message: '', params: { host: '127.0.0.1', port: 9 } },
  }))
  await button(answer(page), /again|de nuevo/).click()
  await expect(answer(page)).toContainText(/No answer|Sin respuesta/)
  expect(await broken(page)).toEqual([])
})

import { broken } from '../../support/axe.ts'
import { aUuid } from '../../support/events.ts'
import { replayTargets } from '../../support/replay-targets.ts'
import { body, field, openBody, tab } from './bodies.ts'
import { expect, test } from './test.ts'
import { click, details, pill, rowAt, rowCount } from './window.ts'

const finding = (pointer: string) => ({
  level: 'note' as const,
  code: 'field-not-documented',
  pointer,
  params: { name: 'Batch' },
  rule: 'readings: data per kind',
})

test('Lines are a table with totals, and nothing is judged by arithmetic', async ({ page }) => {
  const lines = Array.from({ length: 250 }, (_, n) => ({
    LineId: n + 1,
    Quantity: 2,
    Subtotal: 'PRICE',
    Taxes: [{ Any: 'shape' }],
    ...(n === 99 || n === 199 ? { Batch: 'B-7' } : {}),
  }))
  const sent = body({ Lines: lines, Accounting: { Total: 25.5, TotalTaxes: 'none' } })
  await openBody(page, sent.replaceAll('"PRICE"', '0.10'), {
    findings: [finding('/data/Lines/99/Batch'), finding('/data/Lines/199/Batch')],
  })
  await field(page, 'Lines').getByRole('button', { name: '250 items 2 findings within' }).click()
  await expect(tab(page, 'Lines')).toHaveAttribute('aria-selected', 'true')
  const table = details(page).getByRole('grid', { name: 'Lines of the document' })
  await expect(table).toHaveAttribute('aria-rowcount', '252')
  await expect(table.getByRole('row', { name: 'Totals' })).toContainText('25.00')
  await expect(table.getByRole('columnheader', { name: 'Batch' })).toContainText('not documented')
  const sums = details(page).getByRole('table', { name: 'Sums of the lines and Accounting' })
  const total = sums.getByRole('row', { name: 'Total Σ Subtotal', exact: false }).last()
  await expect(total).toContainText('−0.50')
  await expect(sums.getByRole('row', { name: /TotalTaxes/ })).toContainText('not a number')
  await expect(details(page).getByText(/nothing here is checked/)).toBeVisible()
  await click(details(page), 'Next line with findings', 'Next line with findings')
  await expect(details(page).getByRole('heading', { name: 'Line 200' })).toBeVisible()
  // Columns are drawn only when visible.
  await table.evaluate((grid) => void grid.scrollBy({ left: grid.scrollWidth }))
  await expect(table.getByRole('row', { selected: true })).toContainText('B-7')
  await table.press('End')
  await expect(details(page).getByRole('heading', { name: 'Line 250' })).toBeVisible()
  await expect(field(page, 'Taxes')).toContainText('[{"Any":"shape"}]')
  expect(await table.getByRole('row').count()).toBeLessThan(60)
})

test('Accounting is grouped by meaning, digits as sent, the undocumented apart', async ({ page }) => {
  const sent = body({ Accounting: { Total: 'PRICE', IssuedAt: '2026-11-20', Sucursal: 4 } })
  await openBody(page, sent.replace('"PRICE"', '1500.500'))
  await tab(page, 'Accounting').click()
  await expect(field(page, 'Total')).toContainText('1500.500')
  await expect(field(page, 'Tip')).toContainText('absent')
  await expect(details(page).getByRole('heading', { level: 3 })).toHaveText([
    ...['Document', 'Dates and terms', 'Currency', 'Amounts', 'Discounts', 'Taxes', 'Withholdings', 'Fiscal'],
    'Not documented',
  ])
  // A delivery without Accounting lacks this tab; the window remembers the selected tab.
  await expect(tab(page, 'Lines')).toHaveCount(0)
})

test('Document tells its life; a step opens, two neighbours are compared', async ({ page, host }) => {
  const event = (Event: string, time: string, data: object) =>
    JSON.stringify({ Event, Timestamp: `2026-11-20T${time}-04:00`, data: { DocumentId: aUuid(), ...data } })
  await openBody(page, event('dgii.en_proceso', '10:00:00', { StatusId: 7 }))
  await host.deliver(event('factura.created', '11:01:00', { Accounting: { Total: 24_000.01 } }))
  await host.settled()
  await host.deliver(event('factura.updated', '12:00:00', { Accounting: { Total: 25_000 } }))
  const { url } = await replayTargets()
  await host.call('replay.send', { delivery: 41, to: { target: `${url}/staging` }, times: 2 })
  await host.settled()
  await pill(page).click()
  await expect.poll(() => rowCount(page)).toBe(43)
  await rowAt(page, 0).click()
  await tab(page, 'Document').click()
  const life = details(page).getByRole('list', { name: /Deliveries of this document/ })
  await expect(life.getByRole('button', { name: /^(?!Compare)/ })).toHaveCount(3)
  await expect(life.locator('[aria-current="step"]')).toContainText('this delivery')
  const step = life.getByRole('button', { name: /#41/ }).filter({ hasText: '7 · ' })
  await expect(step).toContainText('still being evaluated')
  await expect(life).toContainText('later')
  await expect(life.getByRole('deletion')).toHaveText('24,000.01')
  await expect(life.getByRole('insertion')).toHaveText(['24,000.01', '25,000.00'])
  await expect(life.getByText('status before created')).toBeVisible()
  await expect(life.getByRole('button', { name: /#41 ·/ })).toContainText('2 attempts')
  expect(await broken(page)).toEqual([])
  await life.getByRole('button', { name: 'Compare #41 with #42' }).click()
  await expect(page.getByRole('dialog', { name: /Compar/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await life.getByRole('button', { name: /#41 ·/ }).click()
  await expect(details(page).getByText('#41', { exact: true })).toBeVisible()
  await expect(tab(page, 'Document')).toHaveAttribute('aria-selected', 'true')
})

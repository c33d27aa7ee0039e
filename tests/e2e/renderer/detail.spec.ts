import { expect, type Page, test } from '@playwright/test'
import { broken } from '../../support/axe.ts'
import { openBody, text } from './given-body.ts'
import { atHost, details, grid, openWindow, rowAt } from './window.ts'

const tab = (page: Page, name: string) => details(page).getByRole('tab', { name })
const field = (page: Page, name: string) =>
  details(page)
    .locator('dl > div')
    .filter({ has: page.locator('dt').getByText(name, { exact: true }) })

const body = (data: object) =>
  JSON.stringify({ Event: 'factura.created', Timestamp: '2026-11-20T10:42:17-04:00', data })

test('Event shows the fields of the kind in catalogue order, with findings beside them', async ({ page }) => {
  await openBody(page, {
    decoded: text(
      body({ DocumentId: '{8f1c}', StatusId: 7, AmountDue: 1, Sucursal: 'SD-02' }).replace(
        '"AmountDue":1',
        '"AmountDue":48320.50',
      ),
    ),
    detail: {
      kind: 'factura.created',
      event: 'factura.created',
      verdict: 'invalid',
      findings: 2,
      findingList: [
        {
          level: 'error',
          code: 'document-id-not-uuid',
          pointer: '/data/DocumentId',
          params: { found: '"{8f1c}"' },
          rule: 'specification: Known type facts',
          line: 1,
          column: 85,
        },
        {
          level: 'note',
          code: 'field-not-documented',
          pointer: '/data/Sucursal',
          params: { name: 'Sucursal' },
          rule: 'readings: data per kind',
        },
      ],
    },
  })
  await expect(field(page, 'AmountDue')).toContainText('48320.50')
  await expect(field(page, 'StatusId')).toContainText('still being evaluated')
  await expect(field(page, 'DocumentId')).toContainText('must be a UUID')
  await expect(field(page, 'DocumentId')).toContainText('/data/DocumentId')
  await expect(field(page, 'CustomerName')).toContainText('absent')
  await expect(details(page).getByRole('heading', { name: 'Not documented' })).toBeVisible()
  await expect(field(page, 'Sucursal')).toContainText('SD-02')
  const names = await details(page)
    .locator('dl')
    .first()
    .locator('dt')
    .evaluateAll((all) => all.map((e) => e.firstChild?.textContent))
  expect(names.slice(0, 4)).toEqual(['Event', 'Timestamp', 'DocumentId', 'SequenceTypeId'])
})

test('a finding leads from Checks to its place in Raw', async ({ page }) => {
  await openBody(page, {
    decoded: text(body({ DocumentId: 'x', Number: 'E31', CustomerName: 'Ana' })),
    detail: {
      verdict: 'invalid',
      findings: 1,
      findingList: [
        {
          level: 'error',
          code: 'document-id-not-uuid',
          pointer: '/data/DocumentId',
          params: { found: '"x"' },
          rule: 'specification: Known type facts',
          line: 1,
          column: 87,
        },
      ],
    },
  })
  await tab(page, 'Checks').click()
  await expect(details(page).getByRole('heading', { name: /Errors/ })).toBeVisible()
  await expect(details(page).getByText('specification: Known type facts')).toBeVisible()
  await details(page)
    .getByRole('button', { name: /Copy the pointer/ })
    .click()
  await expect(details(page).getByText('Copied', { exact: true })).toBeAttached()
  expect(await atHost(page, (host) => host.copied)).toEqual(['/data/DocumentId'])
  await details(page)
    .getByRole('button', { name: /Go to line 1, column 87/ })
    .click()
  await expect(tab(page, 'Raw')).toHaveAttribute('aria-selected', 'true')
  await expect(details(page).getByRole('treeitem', { selected: true })).toContainText('"DocumentId": "x"')
})

const finding = (pointer: string) => ({
  level: 'note' as const,
  code: 'field-not-documented',
  pointer,
  params: { name: 'Batch' },
  rule: 'readings: data per kind',
})

test('Lines are a table with totals, whose chosen line is shown in full; nothing is judged by arithmetic', async ({
  page,
}) => {
  const lines = Array.from({ length: 250 }, (_, n) => ({
    LineId: n + 1,
    Quantity: 2,
    Subtotal: 'PRICE',
    Taxes: [{ Any: 'shape' }],
    ...(n === 99 || n === 199 ? { Batch: 'B-7' } : {}),
  }))
  const sent = body({ Lines: lines, Accounting: { Total: 25.5, TotalTaxes: 'none' } })
  await openBody(page, {
    decoded: text(sent.replaceAll('"PRICE"', '0.10')),
    detail: {
      kind: 'factura.created',
      findings: 2,
      findingList: [finding('/data/Lines/99/Batch'), finding('/data/Lines/199/Batch')],
    },
  })
  await field(page, 'Lines').getByRole('button', { name: '250 items 2 findings within' }).click()
  await expect(tab(page, 'Lines')).toHaveAttribute('aria-selected', 'true')
  const table = details(page).getByRole('grid', { name: 'Lines of the document' })
  await expect(table).toHaveAttribute('aria-rowcount', '252')
  await expect(table.getByRole('row', { name: 'Totals' })).toContainText('25.00')
  await expect(table.getByRole('columnheader', { name: 'Batch' })).toContainText('not documented')
  const sums = details(page).getByRole('table', { name: 'Sums of the lines beside Accounting' })
  await expect(sums.getByRole('row', { name: 'Total Σ Subtotal', exact: false }).last()).toContainText(
    '−0.50',
  )
  await expect(sums.getByRole('row', { name: /TotalTaxes/ })).toContainText('not a number')
  await expect(details(page).getByText(/nothing here is judged/)).toBeVisible()
  await details(page).getByRole('button', { name: 'Next line with findings' }).click()
  await details(page).getByRole('button', { name: 'Next line with findings' }).click()
  await expect(details(page).getByRole('heading', { name: 'Line 200' })).toBeVisible()
  await expect(table.getByRole('row', { selected: true })).toContainText('B-7')
  await table.focus()
  await page.keyboard.press('End')
  await expect(details(page).getByRole('heading', { name: 'Line 250' })).toBeVisible()
  await expect(field(page, 'Taxes')).toContainText('[{"Any":"shape"}]')
  expect(await table.getByRole('row').count()).toBeLessThan(60)
})

test('Accounting is grouped by what its fields mean, digits as sent, what nobody documented apart', async ({
  page,
}) => {
  const sent = body({ Accounting: { Total: 'PRICE', IssuedAt: '2026-11-20', Sucursal: 4 } })
  await openBody(page, { decoded: text(sent.replace('"PRICE"', '1500.500')), detail: { findingList: [] } })
  await tab(page, 'Accounting').click()
  await expect(field(page, 'Total')).toContainText('1500.500')
  await expect(field(page, 'Tip')).toContainText('absent')
  await expect(details(page).getByRole('heading', { level: 3 })).toHaveText([
    ...['Document', 'Dates and terms', 'Currency', 'Amounts', 'Discounts', 'Taxes', 'Withholdings', 'Fiscal'],
    'Not documented',
  ])
  // A delivery without Accounting has no such tab; the wish for it stays.
  await expect(tab(page, 'Lines')).toHaveCount(0)
})

test('Document tells the life of the document; a step opens, two neighbours are compared', async ({
  page,
}) => {
  await openBody(page, { decoded: text(body({ DocumentId: 'x' })) })
  await atHost(page, (host) => {
    const call = host.platform.call
    const id = host.store.count
    const own = host.store.row(id - 1)
    const rows = [
      { ...own, id: 3, receivedAt: own.receivedAt - 3_725_000_000, attempts: 2 },
      {
        ...own,
        id: 7,
        kind: 'dgii.en_proceso',
        statusId: 7,
        answer: 500,
        receivedAt: own.receivedAt - 60_000_000,
      },
      own,
    ]
    Object.assign(host.platform, {
      call: async (command: string, params: object) =>
        command === 'deliveries.scan' && 'filter' in params && String(params.filter).startsWith('doc:')
          ? { rows }
          : call(command as never, params as never),
    })
  })
  await tab(page, 'Document').click()
  const life = details(page).getByRole('list', { name: /Deliveries of this document/ })
  await expect(life.getByRole('button', { name: /^(?!Compare)/ })).toHaveCount(3)
  await expect(life.locator('[aria-current="step"]')).toContainText('this one')
  await expect(life.getByRole('button', { name: /#7/ }).filter({ hasText: 'StatusId 7' })).toContainText(
    'still being evaluated',
  )
  await expect(life).toContainText('1 h 1 min later')
  await expect(life.getByRole('button', { name: /#3 ·/ })).toContainText('2 attempts')
  expect(await broken(page)).toEqual([])
  await life.getByRole('button', { name: 'Compare #3 with #7' }).click()
  await expect(page.getByRole('dialog', { name: /Compar/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await life.getByRole('button', { name: /#3 ·/ }).click()
  await expect(details(page).getByText('#3', { exact: true })).toBeVisible()
  await expect(tab(page, 'Document')).toHaveAttribute('aria-selected', 'true')
})

test('headers say what they mean once decoded, and a secret only when it is revealed', async ({ page }) => {
  const header = (name: string, value: string) => ({ name, value, masked: false })
  await openBody(page, {
    decoded: text('{}'),
    detail: {
      url: '/erp?cliente=Jos%C3%A9',
      headers: [
        header('Content-Type', 'application/json; charset=utf-8'),
        header('Date', 'Sat, 21 Nov 2026 16:00:00 GMT'),
        { name: 'Authorization', value: '22 characters', masked: true },
      ],
    },
  })
  await tab(page, 'Headers').click()
  const table = details(page).getByRole('table', { name: 'Headers' })
  await expect(table).toContainText('application/json · charset = utf-8')
  await expect(table).toContainText(/2026.* here/)
  await expect(table).not.toContainText('User and password')
  await expect(details(page).getByText('/erp?cliente=José')).toBeVisible()
})

test('an unreadable body says so and leads to what came', async ({ page }) => {
  await openBody(page, {
    decoded: text('hello'),
    detail: { kind: null, event: null, verdict: 'unreadable', findingList: [] },
  })
  await expect(details(page).getByText('No event could be read from this body')).toBeVisible()
  await tab(page, 'Raw').click()
  await expect(details(page).getByText('hello')).toBeVisible()
})

test('Headers keep order, case and duplicates; secrets are masked until asked for', async ({ page }) => {
  await openBody(page, {
    decoded: text('{}'),
    detail: {
      headers: [
        { name: 'Host', value: 'a', masked: false },
        { name: 'x-two', value: '1', masked: false },
        { name: 'X-Two', value: '2', masked: false },
        { name: 'X-Hook-Secret', value: '•••• 32 characters', masked: true },
      ],
    },
  })
  await atHost(page, (host) => {
    const call = host.platform.call
    Object.assign(host.platform, {
      call: async (command: string, params: { reveal?: boolean }) => {
        const result = (await call(command as never, params as never)) as { headers?: object[] }
        return params.reveal
          ? {
              ...result,
              headers: [
                ...(result.headers ?? []).slice(0, 3),
                { name: 'X-Hook-Secret', value: 'open', masked: false },
              ],
            }
          : result
      },
    })
  })
  await tab(page, 'Headers').click()
  const table = details(page).getByRole('table', { name: 'Headers' })
  await expect(table.getByRole('rowheader')).toHaveText(['Host', 'x-two1/2', 'X-Two2/2', 'X-Hook-Secret'])
  await expect(table).toContainText('32 characters')
  await details(page).getByRole('button', { name: 'Reveal secrets' }).click()
  await expect(table).toContainText('open')
  await details(page).getByRole('button', { name: 'Hide secrets' }).click()
  await expect(table).toContainText('32 characters')
})

test('[ and ] go through the tabs, Ctrl+F searches, Esc gives the focus back to the list', async ({
  page,
}) => {
  await openWindow(page, { count: 50 })
  await rowAt(page, 1).click()
  await tab(page, 'Event').focus()
  const all = (await details(page).getByRole('tab').allTextContents()).map((name) =>
    name.replace(/[\d ].*/, ''),
  )
  for (const name of [...all.slice(1), 'Event']) {
    await page.keyboard.press(']')
    await expect(tab(page, name)).toHaveAttribute('aria-selected', 'true')
  }
  await page.keyboard.press('[')
  await expect(tab(page, all.at(-1) ?? '')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Control+f')
  await expect(details(page).getByRole('textbox', { name: 'Find in the body' })).toBeFocused()
  await page.keyboard.press('Escape')
  await tab(page, 'Raw').focus()
  await page.keyboard.press('Escape')
  await expect(grid(page)).toBeFocused()
})

test('quick changes of the selection end with the last one, never with something else', async ({ page }) => {
  await openWindow(page, { count: 200, latency: 40 })
  await rowAt(page, 0).click()
  await grid(page).focus()
  for (let n = 0; n < 12; n += 1) await page.keyboard.press('j')
  await expect(details(page).getByText('#188', { exact: true })).toBeVisible()
  await page.waitForTimeout(200)
  await expect(details(page).getByText('#188', { exact: true })).toBeVisible()
})

test('a delivery that is judged later shows its verdict without being chosen again', async ({ page }) => {
  await openWindow(page, { count: 20 })
  await atHost(page, (host) => host.arrive(1, 1_500))
  await rowAt(page, 0).click()
  await expect(details(page).getByRole('heading', { level: 2 })).toBeVisible()
  await expect(details(page).getByText('judging…')).toHaveCount(0, { timeout: 5_000 })
})

test('a delivery that is gone, and one that cannot be read, say so', async ({ page }) => {
  await openWindow(page, { count: 20 })
  await atHost(page, (host) => host.refuse.set('deliveries.get', 'The disk does not answer.'))
  await rowAt(page, 0).click()
  await expect(details(page).getByText('The disk does not answer.')).toBeVisible()
  await atHost(page, (host) => host.refuse.clear())
  await details(page).getByRole('button', { name: 'Try again' }).click()
  await expect(tab(page, 'Event')).toBeVisible()
})

for (const { language, names } of [
  { language: 'es', names: ['Evento', 'Validaciones', 'Original', 'Cabeceras', 'Respuesta'] },
  { language: 'en', names: ['Event', 'Checks', 'Raw', 'Headers', 'Answer'] },
]) {
  test(`axe finds nothing in any tab, ${language}`, async ({ page }) => {
    test.setTimeout(120_000)
    await openWindow(page, { count: 300, seed: 5, language })
    await page.getByRole('combobox').fill('verdict:invalid')
    await page.keyboard.press('Escape')
    await rowAt(page, 0).click()
    for (const name of names) {
      await tab(page, name).click()
      expect([name, await broken(page)]).toEqual([name, []])
    }
  })
}

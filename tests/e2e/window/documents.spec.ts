import type { Locator, Page } from '@playwright/test'
import { broken } from '../../support/axe.ts'
import { anEvent } from '../../support/events.ts'
import { expect, test } from './test.ts'
import { filterField, goTo, hostOf, openWindow, press } from './window.ts'

const grid = (page: Page) => page.getByRole('grid', { name: /^(Documents|Documentos)$/ })
const row = (page: Page, index: number) => grid(page).locator(`[aria-rowindex="${index + 2}"]`)
const life = (page: Page) => page.getByRole('region', { name: /^(Life of|Vida de)/ })

async function countOf(page: Page): Promise<number> {
  const query = { query: '', sort: { by: 'last', descending: true }, from: 0, limit: 1 } as const
  return (await hostOf(page).call('documents.page', query)).total
}

async function openDocuments(page: Page, query: Record<string, string | number> = {}): Promise<void> {
  await openWindow(page, { count: 900, ...query })
  await press(page, 'g', 'd')
  await expect(grid(page)).toBeVisible()
}

test('lists each document once, sorts by its columns and filters by words and gaps', async ({ page }) => {
  await openDocuments(page)
  const total = await countOf(page)
  await expect(page.getByRole('status').filter({ hasText: `${total} documents` })).toBeVisible()
  await grid(page).getByRole('button', { name: 'Total' }).click()
  const heading = grid(page).getByRole('columnheader', { name: 'Total' })
  await expect(heading).toHaveAttribute('aria-sort', 'descending')
  await page.getByRole('searchbox', { name: 'Filter documents' }).fill('naco')
  await expect(row(page, 0)).toContainText('Grupo Médico Naco')
  await expect(page).toHaveURL(/filter=naco/)
  await page.reload()
  await expect(page.getByRole('searchbox')).toHaveValue('naco')
  await page.getByRole('searchbox').fill('kind:')
  await expect(page.getByText('Invalid filter')).toBeVisible()
  await page.getByRole('searchbox').fill('')
  await page.getByRole('button', { name: 'Gaps' }).first().click()
  await page.getByRole('menuitemcheckbox', { name: 'created missing' }).click()
  await page.keyboard.press('Escape')
  await expect(row(page, 0)).toContainText('created missing')
})

test('by keyboard: a document opens, its life follows the pointer', async ({ page }) => {
  await openDocuments(page)
  await expect(row(page, 0)).toContainText(/\w/)
  await grid(page).press('End')
  const last = (await countOf(page)) - 1
  await expect(row(page, last)).toContainText(/\w/)
  // A new order loads at the list's present position, not only at its top.
  const before = (await row(page, last).textContent()) ?? ''
  await grid(page).getByRole('button', { name: 'Last' }).click()
  await expect(row(page, last)).not.toHaveText(before)
  await expect(row(page, last)).toContainText(/\w/)
  await grid(page).press('Enter')
  await expect(life(page)).toBeVisible()
  const first = await life(page).getByRole('heading').textContent()
  await page.keyboard.press('ArrowUp')
  await expect(life(page).getByRole('heading')).not.toHaveText(first ?? '')
  await page.keyboard.press('Enter')
  await expect(life(page)).toBeFocused()
  await expect(life(page).getByRole('listitem').first()).toContainText(/\.created|\.updated|dgii\./)
  await page.keyboard.press('Escape')
  await expect(life(page)).toBeHidden()
  await expect(grid(page)).toBeFocused()
})

test('a name from right to left is cut at its end, which is on the left', async ({ page, host }) => {
  const CustomerName = 'شركة النور للتجارة والمقاولات العامة المحدودة وشركاؤه في سانتو دومينغو'
  await openWindow(page, { count: 3 })
  await host.deliver(JSON.stringify(anEvent('factura.created', { data: { CustomerName } })))
  const beginsInside = async (cell: Locator) => {
    await expect(cell).toContainText('شركة')
    // Where the first letter stands, and the cell's right edge.
    const [letter, edge] = await cell.evaluate((element) => {
      const range = document.createRange()
      const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode() as Text
      range.setStart(text, 0)
      range.setEnd(text, 1)
      return [range.getBoundingClientRect().right, element.getBoundingClientRect().right] as const
    })
    expect(letter).toBeLessThanOrEqual(edge + 1)
  }
  await beginsInside(page.getByRole('gridcell', { name: /شركة/ }))
  await goTo(page, 'documents')
  await beginsInside(grid(page).getByRole('gridcell', { name: /شركة/ }))
})

test('a step tells what it changed, and leads to Stream', async ({ page, host }) => {
  await openDocuments(page)
  const DocumentId = '8f1c2d3e-0000-4000-8000-00000000000a'
  for (const [step, Total] of [100, 200].entries())
    await host.deliver(
      JSON.stringify({
        Event: ['factura.created', 'factura.updated'][step],
        Timestamp: `2026-11-20T1${step}:00:00-04:00`,
        data: { DocumentId, Accounting: { Total } },
      }),
    )
  await page.getByRole('searchbox', { name: 'Filter documents' }).fill(`doc:${DocumentId}`)
  await expect(page.getByRole('status').filter({ hasText: '1 document' })).toBeVisible()
  await row(page, 0).click()
  const step = life(page).getByRole('listitem').filter({ hasText: '.updated' })
  await expect(step.getByRole('insertion')).toHaveText('200.00')
  await expect(step.getByRole('button', { name: 'Compare with the previous event' })).toBeVisible()
  await life(page).getByRole('button', { name: 'Show its deliveries in Stream' }).click()
  await expect(filterField(page)).toHaveValue(`doc:${DocumentId}`)
})

test('an empty store and one that cannot be read say what to do', { tag: '@long' }, async ({
  page,
  host,
}) => {
  await openWindow(page, { count: 0 })
  await page.goto(`${page.url().split('#')[0]}#/documents`)
  await expect(page.getByText('No documents yet')).toBeVisible()
  expect(await broken(page)).toEqual([])
  host.api.refuse('documents.page', 'The disk is gone.')
  await page.getByRole('button', { name: 'Open Stream' }).click()
  await page.getByRole('link', { name: 'Documents' }).click()
  await expect(page.getByText('The documents could not be read')).toBeVisible()
})

test('nothing stands in the way of assistive technology, in Spanish', { tag: '@long' }, async ({ page }) => {
  await openDocuments(page, { language: 'es' })
  await row(page, 1).click()
  await expect(life(page).getByRole('listitem').first()).toBeVisible()
  // A status shows its name in the user's language and its colour.
  const accepted = page.getByTitle('5 · aceptado por completo', { exact: true }).first()
  await expect(accepted).toHaveClass(/text-valid/)
  expect(await broken(page)).toEqual([])
})

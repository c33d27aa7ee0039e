import type { Page } from '@playwright/test'
import { broken } from '../../support/axe.ts'
import { expect, test } from './test.ts'
import { details, enter, filterField, openWindow, press, rowAt, rowCount } from './window.ts'

const heading = (page: Page, name: string) => page.getByRole('columnheader', { name })
const openSaved = (page: Page) => page.getByRole('button', { name: 'Saved and recent filters' }).click()
const saved = (page: Page) => page.getByRole('button', { name: 'Remove Late' })

async function save(page: Page, filter: string, name: string): Promise<void> {
  await enter(filterField(page), filter)
  await openSaved(page)
  await page.getByRole('textbox', { name: 'Name for this filter' }).fill(name)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('textbox', { name: 'Name for this filter' })).toHaveCount(0)
}

async function filterBy(page: Page, filter: string): Promise<void> {
  await filterField(page).fill(filter)
  await press(page, 'Enter', 'Escape')
}

test('a saved filter keeps columns of its own, and comes back by Ctrl+Z', async ({ page }) => {
  await openWindow(page, { count: 200 })
  await save(page, 'is:late', 'Late')
  await expect.poll(() => rowCount(page)).toBeLessThan(200)
  await page.getByRole('button', { name: 'Columns', exact: true }).click()
  await expect(page.getByText('Columns of “Late”')).toBeVisible()
  await page.getByRole('menuitemcheckbox', { name: 'Size' }).click()
  await page.keyboard.press('Escape')
  await expect(heading(page, 'Size')).toHaveCount(0)

  await filterBy(page, '')
  await expect(heading(page, 'Size')).toBeVisible()
  await filterBy(page, 'is:late')
  await expect(heading(page, 'Size')).toHaveCount(0)

  await openSaved(page)
  await saved(page).click()
  await expect(heading(page, 'Size')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText('Removed the saved filter “Late”.', { exact: true })).toBeVisible()
  expect(await broken(page)).toEqual([])
  await page.locator('[data-grid]').press('Control+z')
  await expect(heading(page, 'Size')).toHaveCount(0)
  await expect(page.getByText('Undone.').last()).toBeVisible()
  // Nothing took the focus from the list.
  await expect(page.locator('[data-grid]')).toBeFocused()
  await page.getByRole('button', { name: 'Columns', exact: true }).click()
  await page.getByRole('menuitem', { name: 'The usual columns for “Late”' }).click()
  await expect(heading(page, 'Size')).toBeVisible()
})

test('the address carries filter and delivery; a window of one has nothing else', async ({ page }) => {
  await openWindow(page, { count: 200 })
  await filterBy(page, 'is:late')
  await expect.poll(() => rowCount(page)).toBeLessThan(200)
  const late = await rowCount(page)
  await rowAt(page, 1).click()
  await expect(details(page)).toBeVisible()
  await expect.poll(() => page.evaluate(() => location.hash)).toMatch(/^#\/stream\?filter=is%3Alate&id=\d+$/)
  const [, id] = /id=(\d+)/.exec(page.url()) ?? []
  await page.reload()
  await expect(filterField(page)).toHaveValue('is:late')
  await expect.poll(() => rowCount(page)).toBe(late)
  await expect(details(page).getByText(`#${id}`, { exact: true })).toBeVisible()
  await page.goto(`${page.url().replace(/#.*/, '')}#/delivery/${id}`)
  await page.reload()
  await expect(details(page).getByText(`#${id}`, { exact: true })).toBeVisible()
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await expect(page).toHaveTitle(/Acuse$/)
  expect(await broken(page)).toEqual([])
})

test('a filter notifies in the browser, and its notification opens', async ({ page, host }) => {
  await page.addInitScript(() => {
    const shown: { told: string[]; click: () => void }[] = []
    class Stub extends EventTarget {
      static permission = 'default'
      static async requestPermission() {
        Stub.permission = 'granted'
        return Stub.permission
      }
      constructor(title: string, { body }: { body: string }) {
        super()
        shown.push({ told: [title, body], click: () => this.dispatchEvent(new Event('click')) })
      }
      close() {}
    }
    Object.assign(window, { Notification: Stub, shown })
  })
  await openWindow(page, { count: 50 })
  const delivery = { id: 7, kind: 'factura.created', number: 'E310000000077', verdict: 'invalid' } as const
  const matched = () => host.api.push('filters.matched', { name: 'Late', delivery, more: 12 })
  const told = () =>
    page.evaluate(() => (window as unknown as { shown: { told: string[] }[] }).shown.map(({ told }) => told))
  await save(page, 'is:late', 'Late')
  matched()
  await openSaved(page)
  expect(await told()).toEqual([])
  const notify = page.getByRole('button', { name: 'Notify about deliveries that match Late' })
  await notify.click()
  await expect(notify).toHaveAttribute('aria-pressed', 'true')
  matched()
  await expect.poll(told).toEqual([['Late', 'factura.created · E310000000077 · invalid, and 12 more']])
  await page.evaluate(() => (window as unknown as { shown: { click(): void }[] }).shown[0]?.click())
  await expect(details(page).getByText('#7', { exact: true })).toBeVisible()
})

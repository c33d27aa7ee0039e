import { expect, type Locator, type Page } from '@playwright/test'
import type { FakeHost } from '@/fake/host.ts'

declare global {
  interface Window {
    fakeHost?: FakeHost
  }
}

/** Opens the window on a fake host. The query says what it holds (see main.fake.tsx). */
export async function openWindow(page: Page, query: Record<string, string | number> = {}): Promise<void> {
  const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  await page.goto(`?${text}`)
  await expect(page.locator('main')).toBeVisible()
}

/** Does something to the fake host, inside the page. */
export function atHost<T>(page: Page, act: (host: FakeHost) => T): Promise<T> {
  return page.evaluate(`(${act.toString()})(window.fakeHost)`) as Promise<T>
}

export const grid = (page: Page): Locator => page.getByRole('grid', { name: /newest first|más reciente/ })
/** Rows in view and a little beyond, newest first. */
export const rows = (page: Page): Locator => grid(page).locator('[data-index]')
/** The row that stands at this place of the list, 0 being the newest. */
export const rowAt = (page: Page, index: number): Locator => grid(page).locator(`[data-index="${index}"]`)
export const filterField = (page: Page): Locator => page.getByRole('combobox')
export const pill = (page: Page): Locator => page.getByRole('button', { name: / new$|Paused/ })
export const details = (page: Page): Locator => page.locator('[data-detail]')
/** Number of rows that the grid says it has, without its heading. */
export async function rowCount(page: Page): Promise<number> {
  return Number(await grid(page).getAttribute('aria-rowcount')) - 1
}

/** Moves a choice to a radio button beside it. The key is held until it is there, for the choice follows the focus only while it is down. */
export async function choose(page: Page, key: 'ArrowLeft' | 'ArrowRight', radio: Locator): Promise<void> {
  await page.keyboard.down(key)
  await expect(radio).toBeChecked()
  await page.keyboard.up(key)
}

import { expect, type Locator, type Page } from '@playwright/test'
import { openWindow } from './window.ts'

/** Opens Reconcile on a host with two connections and a sweep of so many documents, of every class; 0: no sweep yet. */
export async function openReconcile(page: Page, query: Record<string, string | number> = {}): Promise<void> {
  await openWindow(page, { count: 60, seed: 5, sweep: 400, ...query })
  await page.getByRole('link', { name: /^(Reconcile|Conciliar)$/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^(Reconcile|Conciliar)$/ })).toBeVisible()
}

export const streams = (page: Page): Locator => page.getByRole('grid', { name: /both streams|ambos lados/ })
/** Documents in view and a little beyond, in order of issue. */
export const documents = (page: Page): Locator => streams(page).locator('[data-key]')
export const card = (page: Page, name: string): Locator =>
  page.getByRole('group', { name: /Documents by class/ }).getByRole('button', { name })
export const pane = (page: Page): Locator => page.getByRole('region', { name: /^Document E/ })
export const dialog = (page: Page): Locator => page.getByRole('dialog')

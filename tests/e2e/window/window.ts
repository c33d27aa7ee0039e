import { expect, type Locator, type Page } from '@playwright/test'
import type { Settings } from '#contract/settings.ts'
import type { Seed, WindowHost } from '../../support/window-host.ts'

const hosts = new WeakMap<Page, WindowHost>()

/** Registers the host of a page's window. */
export function attachHost(page: Page, host: WindowHost): void {
  hosts.set(page, host)
}

export function hostOf(page: Page): WindowHost {
  const host = hosts.get(page)
  if (!host) throw new Error('this page has no host')
  return host
}

export interface Shown extends Partial<Settings['appearance']> {
  /** Route to open, such as `replays/forwards`. */
  readonly at?: string
}

/** Opens the window on a host with the seed's content, and waits for the first row. */
export async function openWindow(page: Page, seed: Seed & Shown = {}): Promise<void> {
  const { theme = 'system', language = 'system', at, ...held } = seed
  await page.goto(await hostOf(page).open(held, { theme, language }))
  await expect(held.count ? rowAt(page, 0) : page.locator('main')).toBeVisible()
  if (at) await goTo(page, at)
}

/** Goes to a route, such as `replays/forwards`. */
export async function goTo(page: Page, place: string): Promise<void> {
  await page.evaluate((hash) => {
    location.hash = `#/${hash}`
  }, place)
}

export const copied = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())

export const grid = (page: Page): Locator => page.getByRole('grid', { name: /newest first|más reciente/ })
/** Rows in view and slightly beyond, newest first. */
export const rows = (page: Page): Locator => grid(page).locator('[data-index]')
/** The row at an index of the list; 0 is the newest. */
export const rowAt = (page: Page, index: number): Locator => grid(page).locator(`[data-index="${index}"]`)
export const filterField = (page: Page): Locator => page.getByRole('combobox')
export const pill = (page: Page): Locator => page.getByRole('button', { name: /^\d+ new/ })
export const button = (within: Page | Locator, name: string | RegExp): Locator =>
  within.getByRole('button', { name })
export const dialog = (page: Page): Locator => page.getByRole('dialog')
export const details = (page: Page): Locator => page.locator('[data-detail]')
/** Number of rows that the grid reports, without its heading. */
export async function rowCount(page: Page): Promise<number> {
  return Number(await grid(page).getAttribute('aria-rowcount')) - 1
}

/** Position of an element once it is drawn. Measures again when the element is replaced, as headings are after lazy loading. */
export async function placeOf(
  element: Locator,
): Promise<NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>> {
  await expect(element).toBeVisible()
  return (await element.boundingBox()) ?? placeOf(element)
}

/** Selects a neighbouring radio button. Holds the key until then, since the selection follows the focus only while a key is down. */
export async function choose(page: Page, key: 'ArrowLeft' | 'ArrowRight', radio: Locator): Promise<void> {
  await page.keyboard.down(key)
  await expect(radio).toBeChecked()
  await page.keyboard.up(key)
}

export async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

/** Replaces a field's text and presses Enter. */
export async function enter(field: Locator, text: string): Promise<void> {
  await field.fill(text)
  await field.press('Enter')
}

export async function fill(within: Page | Locator, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await within.getByLabel(label).fill(value)
}

export async function click(within: Page | Locator, ...names: readonly (string | RegExp)[]): Promise<void> {
  for (const name of names) await button(within, name).click()
}

/** Clicks a button of the dialog and expects it to close. */
export async function closeBy(page: Page, name: string): Promise<void> {
  await button(dialog(page), name).click()
  await expect(dialog(page)).toHaveCount(0)
}

/** Opens a menu by its button, and selects an item. */
export async function take(page: Page, menu: string, item: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: menu, exact: true }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

export async function tells(element: Locator, ...texts: readonly (string | RegExp)[]): Promise<void> {
  for (const text of texts) await expect(element).toContainText(text)
}

export async function shows(within: Page | Locator, ...texts: readonly (string | RegExp)[]): Promise<void> {
  for (const text of texts) await expect(within.getByText(text)).toBeVisible()
}

import { expect, type Locator, type Page } from '@playwright/test'
import type { Settings } from '#contract/settings.ts'
import type { Seed, WindowHost } from '../../support/window-host.ts'

const hosts = new WeakMap<Page, WindowHost>()

/** Says which host the windows of a page belong to. */
export function attachHost(page: Page, host: WindowHost): void {
  hosts.set(page, host)
}

export function hostOf(page: Page): WindowHost {
  const host = hosts.get(page)
  if (!host) throw new Error('this page has no host')
  return host
}

export interface Shown extends Partial<Settings['appearance']> {
  /** The place of the window to go to, as `replays/forwards`. */
  readonly at?: string
}

/** Opens the window on a host that holds what the seed says, and waits for the first of its rows. */
export async function openWindow(page: Page, seed: Seed & Shown = {}): Promise<void> {
  const { theme = 'system', language = 'system', at, ...held } = seed
  await page.goto(await hostOf(page).open(held, { theme, language }))
  await expect(held.count ? rowAt(page, 0) : page.locator('main')).toBeVisible()
  if (at) await goTo(page, at)
}

/** Goes to a place of the window, as `replays/forwards`. */
export async function goTo(page: Page, place: string): Promise<void> {
  await page.evaluate((hash) => {
    location.hash = `#/${hash}`
  }, place)
}

export const copied = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())

export const grid = (page: Page): Locator => page.getByRole('grid', { name: /newest first|más reciente/ })
/** Rows in view and a little beyond, newest first. */
export const rows = (page: Page): Locator => grid(page).locator('[data-index]')
/** The row that stands at this place of the list, 0 being the newest. */
export const rowAt = (page: Page, index: number): Locator => grid(page).locator(`[data-index="${index}"]`)
export const filterField = (page: Page): Locator => page.getByRole('combobox')
export const pill = (page: Page): Locator => page.getByRole('button', { name: /^\d+ new/ })
export const button = (within: Page | Locator, name: string | RegExp): Locator =>
  within.getByRole('button', { name })
export const dialog = (page: Page): Locator => page.getByRole('dialog')
export const details = (page: Page): Locator => page.locator('[data-detail]')
/** Number of rows that the grid says it has, without its heading. */
export async function rowCount(page: Page): Promise<number> {
  return Number(await grid(page).getAttribute('aria-rowcount')) - 1
}

/** Where an element stands, once it is drawn. What is drawn anew meanwhile, as headings are when their code comes, is measured again. */
export async function placeOf(
  element: Locator,
): Promise<NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>> {
  await expect(element).toBeVisible()
  return (await element.boundingBox()) ?? placeOf(element)
}

/** Moves a choice to a radio button beside it. The key is held until it is there, for the choice follows the focus only while it is down. */
export async function choose(page: Page, key: 'ArrowLeft' | 'ArrowRight', radio: Locator): Promise<void> {
  await page.keyboard.down(key)
  await expect(radio).toBeChecked()
  await page.keyboard.up(key)
}

export async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

/** Types a text in the place of what a field holds, and enters it. */
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

/** Clicks a button of the dialog, which closes. */
export async function closeBy(page: Page, name: string): Promise<void> {
  await button(dialog(page), name).click()
  await expect(dialog(page)).toHaveCount(0)
}

/** Opens a menu by its button, and takes an item of it. */
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

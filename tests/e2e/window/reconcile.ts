import { expect, type Locator, type Page } from '@playwright/test'
import type { Sweep } from '#contract/reconcile.ts'
import { type ReconcileWorld, reconcileWorld } from '../../support/reconcile-world.ts'
import type { WindowHost } from '../../support/window-host.ts'
import { openWindow, type Shown } from './window.ts'

interface Opening extends Shown {
  readonly count?: number
  readonly swept?: boolean
}

/** Opens the window on a host with two connections, and a sweep of documents of every class unless `swept` is false. */
export async function openWorld(
  page: Page,
  { count = 400, swept = true, ...rest }: Opening = {},
): Promise<ReconcileWorld> {
  const world = await reconcileWorld(count)
  world.reset()
  await openWindow(page, { ...world.seed(swept), ...rest })
  return world
}

export async function openReconcile(page: Page, opening: Opening = {}): Promise<ReconcileWorld> {
  const world = await openWorld(page, opening)
  await page.getByRole('link', { name: /^(Reconcile|Conciliar)$/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^(Reconcile|Conciliar)$/ })).toBeVisible()
  if (opening.swept !== false) await expect(documents(page).first()).toBeVisible()
  return world
}

/** Makes the window see a sweep in another state. */
export async function changeSweep(host: WindowHost, id: number, change: Partial<Sweep>): Promise<void> {
  const sweep = { ...(await host.call('sweeps.get', { id })), ...change }
  host.api.answer('sweeps.get', () => sweep)
  host.api.answer('sweeps.list', async (_, ask) => {
    const { sweeps } = await ask()
    return { sweeps: sweeps.map((one) => (one.id === id ? sweep : one)) }
  })
  host.api.push('sweeps.changed', { sweeps: [sweep], removed: [] })
}

export const streams = (page: Page): Locator => page.getByRole('grid', { name: /both streams|ambos lados/ })
/** Rows of documents in view and slightly beyond, in order of issue. */
export const documents = (page: Page): Locator => streams(page).locator('[data-key]')
export const card = (page: Page, name: string): Locator =>
  page.getByRole('group', { name: /Documents by class/ }).getByRole('button', { name })
export const pane = (page: Page): Locator => page.getByRole('region', { name: /^Documento? E/ })

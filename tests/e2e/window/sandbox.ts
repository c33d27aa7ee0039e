import { expect, type Locator, type Page } from '@playwright/test'
import { until } from '../../support/until.ts'
import type { Seed } from '../../support/window-host.ts'
import { goTo, hostOf, openWindow, type Shown } from './window.ts'

interface Opening extends Shown {
  /** Number of events in the log, some of them lost. */
  readonly events?: number
}

const lived = (events: number): NonNullable<Seed['lived']> => ({
  name: `a sandbox with ${events} events`,
  async live({ host: { engine } }) {
    await engine.call('sandbox.start', { port: 0 })
    if (events === 0) return
    await engine.call('sandbox.set-laboratory', { seed: 3, lose: { share: 0.2 } })
    const { run } = await engine.call('sandbox.emit', { kind: 'factura.created', count: events, seed: 5 })
    await until(async () => (await engine.call('sandbox.run', { run })).pending === 0)
    await engine.call('sandbox.clear-laboratory', {})
  },
})

/** Opens a part of the Sandbox screen on a host with a running sandbox. */
export async function openPart(
  page: Page,
  part: string,
  { events = 0, ...appearance }: Opening = {},
): Promise<void> {
  await openWindow(page, { lived: lived(events), ...appearance })
  await hostOf(page).call('sandbox.start', { port: 0 })
  await goTo(page, `sandbox/${part}`)
  const parts = page.getByRole('navigation', { name: /Parts of the sandbox|Partes del sandbox/ })
  await expect(parts).toBeVisible()
}

export const option = (page: Page, name: string): Locator =>
  page.getByRole('listbox').getByRole('option', { name, exact: true })
export const editor = (page: Page): Locator => page.getByRole('textbox', { name: /^(Body of|Cuerpo de)/ })
export const log = (page: Page): Locator =>
  page.getByRole('grid', { name: /^(Execution log|Registro de ejecución)/ })

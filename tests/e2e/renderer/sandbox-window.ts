import { expect, type Page } from '@playwright/test'
import { openWindow } from './window.ts'

/** Opens a part of the Sandbox screen on a host where it runs; `sandbox` is how many entries its log has. */
export async function openPart(
  page: Page,
  part: string,
  query: Record<string, string | number> = {},
): Promise<void> {
  await openWindow(page, { count: 20, sandbox: 0, ...query })
  await page.evaluate((name) => {
    location.hash = `#/sandbox/${name}`
  }, part)
  await expect(
    page.getByRole('navigation', { name: /Parts of the sandbox|Partes del sandbox/ }),
  ).toBeVisible()
}

export const option = (page: Page, name: string) =>
  page.getByRole('listbox').getByRole('option', { name, exact: true })
export const editor = (page: Page) => page.getByRole('textbox', { name: /^(Body of|Cuerpo de)/ })
export const log = (page: Page) => page.getByRole('grid', { name: /^(Execution log|Registro de ejecución)/ })

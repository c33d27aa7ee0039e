import { expect, type Locator, type Page } from '@playwright/test'
import type { DeliveryDetail } from '#contract/delivery.ts'
import { details, hostOf, openWindow, rowAt, rowCount } from './window.ts'

export const tab = (page: Page, name: string | RegExp): Locator => details(page).getByRole('tab', { name })
export const field = (page: Page, name: string): Locator =>
  details(page)
    .locator('dl > div')
    .filter({ has: page.locator('dt').getByText(name, { exact: true }) })

export const body = (data: object): string =>
  JSON.stringify({ Event: 'factura.created', Timestamp: '2026-11-20T10:42:17-04:00', data })

interface Sent {
  readonly headers?: Readonly<Record<string, string>>
  readonly path?: string
  /** Findings that replace the host's own. */
  readonly findings?: DeliveryDetail['findingList']
}

/** Delivers this body, opens the window and selects the delivery. */
export async function openBody(
  page: Page,
  body: string | Uint8Array<ArrayBuffer>,
  { headers = {}, path = '', findings }: Sent = {},
): Promise<void> {
  await openWindow(page, { count: 40, seed: 3 })
  const host = hostOf(page)
  await host.deliver(body, { headers: { 'Content-Type': 'application/json', ...headers }, path })
  await host.settled()
  await expect.poll(() => rowCount(page)).toBe(41)
  if (findings) host.api.alter('deliveries.get', { findings: findings.length, findingList: findings })
  await rowAt(page, 0).click()
  await page.getByRole('tab', { name: 'Event' }).waitFor()
}

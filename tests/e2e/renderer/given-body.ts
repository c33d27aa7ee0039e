import type { Page } from '@playwright/test'
import type { DeliveryDetail } from '#contract/delivery.ts'
import { openWindow, rowAt } from './window.ts'

declare global {
  interface Window {
    given?: { readonly decoded: string; readonly raw: string }
  }
}

/** A body by what makes it inside the page: 25 MB need not cross over from the test. */
export interface Given {
  /** Source of a function that gives the decoded body as text, one character per byte. */
  readonly decoded: string
  /** The same for the bytes of the wire; absent: as decoded. */
  readonly raw?: string
  readonly detail?: Partial<DeliveryDetail>
}

export const text = (body: string): string =>
  `() => ${JSON.stringify(Buffer.from(body, 'utf8').toString('latin1'))}`

/** Opens the window and selects its newest delivery, which holds the given body. */
export async function openBody(
  page: Page,
  given: Given,
  query: Record<string, string | number> = {},
): Promise<void> {
  await openWindow(page, { count: 40, seed: 3, ...query })
  // As text: the page makes the bytes itself, and its policy lets no script do so by eval.
  await page.evaluate(
    `window.given = { decoded: (${given.decoded})(), raw: (${given.raw ?? given.decoded})() }`,
  )
  await page.evaluate((detail) => {
    const { fakeHost: host, given: views } = window
    if (!host || !views) throw new Error('no fake host')
    const call = host.platform.call
    const id = host.store.count
    Object.assign(host.platform, {
      call: async (
        command: string,
        params: { id: number; view: 'raw' | 'decoded'; from: number; length: number },
      ) => {
        if (command === 'deliveries.body' && params.id === id) {
          const all = views[params.view]
          await new Promise((resolve) => setTimeout(resolve, 2))
          return {
            bytesBase64: btoa(all.slice(params.from, params.from + params.length)),
            total: all.length,
            problem: null,
          }
        }
        const result = await call(command as never, params as never)
        return command === 'deliveries.get' && params.id === id
          ? { ...(result as object), ...detail }
          : result
      },
    })
  }, given.detail)
  await rowAt(page, 0).click()
  await page.getByRole('tab', { name: 'Event' }).waitFor()
}

import { DatabaseSync } from 'node:sqlite'
import { expect, test as plain } from 'vitest'
import type { Store } from '#core/ports.ts'
import { aDelivery, openTestStore, type TestStore } from '../../support/store.ts'

interface Opened {
  readonly opened: TestStore
  readonly store: Store
  readonly folder: string
}

export const test = plain.extend<Opened>({
  opened: async ({ task: _ }, use) => {
    await using opened = await openTestStore()
    await use(opened)
  },
  store: ({ opened }, use) => use(opened.store),
  folder: ({ opened }, use) => use(opened.folder),
})

/** Appends them one after the other, and waits until they are judged. */
export async function arrive(store: Store, ...sent: readonly Parameters<typeof aDelivery>[0][]) {
  for (const one of sent) await store.capture.append(aDelivery(one))
  expect(await store.deliveries.settled(30_000)).toBe(0)
}

export async function bytesIn({ deliveries }: Store, id: number, view: 'raw' | 'decoded' = 'raw') {
  const slice = await deliveries.body(id, view, 0, 8_388_608)
  return Buffer.from(slice?.bytesBase64 ?? '', 'base64')
}

export function execIn(path: string, sql: string): void {
  using db = new DatabaseSync(path)
  db.exec(sql)
}

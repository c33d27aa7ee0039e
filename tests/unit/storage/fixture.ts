import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test as plain } from 'vitest'
import { readFilter } from '#core/filter/read.ts'
import type { Store, StoreNotice } from '#core/ports.ts'
import { storeFiles } from '#storage/disk/files.ts'
import { openCapturedRequests } from '#storage/replays/captured-requests.ts'
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

/** Appends deliveries in sequence, and waits until they are analysed. */
export async function arrive(store: Store, ...sent: readonly Parameters<typeof aDelivery>[0][]) {
  for (const one of sent) await store.capture.append(aDelivery(one))
  expect(await store.deliveries.settled(30_000)).toBe(0)
}

/** Expects the count to match. @returns the ids of the deliveries that a filter selects */
export async function found({ store }: Pick<TestStore, 'store'>, filter: string): Promise<number[]> {
  const page = await store.deliveries.page(readFilter(filter), { from: 0, limit: 1_000 })
  expect((await store.deliveries['deliveries.summary']({ filter })).total).toBe(page.total)
  return page.rows.map(({ id }) => id)
}

/** Collects the store's notices from now on. */
export function noticesOf(store: Store): readonly StoreNotice[] {
  const notices: StoreNotice[] = []
  store.onNotice((notice) => notices.push(notice))
  return notices
}

export function requestsOf(folder: string) {
  const requests = openCapturedRequests({ paths: storeFiles(folder) })
  onTestFinished(() => requests.close())
  return requests
}

export async function bytesIn({ deliveries }: Store, id: number, view: 'raw' | 'decoded' = 'raw') {
  const slice = await deliveries.body(id, view, 0, 8_388_608)
  return Buffer.from(slice?.bytesBase64 ?? '', 'base64')
}

export function execIn(path: string, sql: string): void {
  using db = new DatabaseSync(path)
  db.exec(sql)
}

import { DatabaseSync } from 'node:sqlite'
import { test as plain } from 'vitest'
import type { Store } from '#core/ports.ts'
import { openTestStore, type TestStore } from '../../support/store.ts'

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

export function execIn(path: string, sql: string): void {
  using db = new DatabaseSync(path)
  db.exec(sql)
}

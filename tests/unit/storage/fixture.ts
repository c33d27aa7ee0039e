import { test as plain } from 'vitest'
import type { Store } from '#core/ports.ts'
import { openTestStore, type TestStore } from '../../support/store.ts'

interface Opened {
  readonly opened: TestStore
  readonly store: Store
  readonly folder: string
}

/** Tests that take a real store, which goes with its folder after the test. */
export const test = plain.extend<Opened>({
  opened: async ({ task: _ }, use) => {
    await using opened = await openTestStore()
    await use(opened)
  },
  store: ({ opened }, use) => use(opened.store),
  folder: ({ opened }, use) => use(opened.folder),
})
